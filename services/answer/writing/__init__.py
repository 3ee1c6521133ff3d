"""The two engines that write: one quotes, one has a language model write."""
