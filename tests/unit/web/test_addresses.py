"""Only the public internet is asked."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.web.addresses import AddressRefused, is_public, resolve


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "240.0.0.1", "::", "::1", "fe80::1", "fd00::1", "ff02::1"),
        *("::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::"),
        *("192.0.0.8", "fec0::1", "3fff::1", "64:ff9b:1::a00:1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "::10.0.0.1"),
    ],
)
def test_an_address_behind_the_door_is_not(address: str) -> None:
    assert not is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_counts_as_itself(address: IPv4Address) -> None:
    for outer in (f"::ffff:{address}", f"64:ff9b::{address}"):
        assert is_public(ip_address(outer)) == is_public(address)


async def test_loopback_is_taken_where_it_is_allowed() -> None:
    assert await resolve("127.0.0.1", 80, allow_loopback=True) == ["127.0.0.1"]


@pytest.mark.parametrize("host", ["10.0.0.1", "169.254.169.254", "0.0.0.0", "2130706433.invalid"])
async def test_nothing_else_is_taken_even_then(host: str) -> None:
    with pytest.raises(AddressRefused, match=host):
        await resolve(host, 80, allow_loopback=True)
