"""What the documentation asks of grpcurl: `python -m tests.system.reflecting_client -plaintext [-d JSON] ADDRESS …`,
over TLS with -cacert, -cert and -key in place of -plaintext.

Like grpcurl it knows a server by its reflection alone. It lists services, describes one, or calls a method and prints
each response as JSON.
"""

import argparse
import sys
from pathlib import Path

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase


def main() -> None:
    """Do what the arguments say.

    Raises:
        KeyError: the server has no such service or method.
        grpc.RpcError: it refused.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("-plaintext", action="store_true")
    for name in ("-cacert", "-cert", "-key"):
        parser.add_argument(name, type=Path)
    parser.add_argument("-d", dest="data", default="{}")
    parser.add_argument("address")
    parser.add_argument("task", help="list, describe, or a method")
    parser.add_argument("symbol", nargs="?", default="")
    arguments = parser.parse_args()
    with open_channel(arguments) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)
        if arguments.task == "list":
            lines = list(database.get_services())
        elif arguments.task == "describe":
            lines = [method.full_name for method in pool.FindServiceByName(arguments.symbol).methods]
        else:
            lines = call(channel, pool, arguments.task, arguments.data)
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def open_channel(arguments: argparse.Namespace) -> grpc.Channel:
    """A channel in plain text, or over TLS by the files that are named."""
    if arguments.plaintext:
        return grpc.insecure_channel(arguments.address)
    pem = [path and path.read_bytes() for path in (arguments.cacert, arguments.key, arguments.cert)]
    return grpc.secure_channel(arguments.address, grpc.ssl_channel_credentials(*pem))


def call(channel: grpc.Channel, pool: DescriptorPool, name: str, data: str) -> list[str]:
    """The responses of `package.Service/Method`."""
    service, _, method_name = name.partition("/")
    method: MethodDescriptor = pool.FindServiceByName(service).methods_by_name[method_name]
    request = Parse(data, GetMessageClass(method.input_type)(), descriptor_pool=pool)
    serialize, parse = type(request).SerializeToString, GetMessageClass(method.output_type).FromString
    path = f"/{name}"
    if method.server_streaming:
        responses = list(channel.unary_stream(path, serialize, parse)(request, timeout=30))
    else:
        responses = [channel.unary_unary(path, serialize, parse)(request, timeout=30)]
    return [MessageToJson(response, descriptor_pool=pool) for response in responses]


if __name__ == "__main__":
    main()
