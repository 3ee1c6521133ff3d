"""The two engines that write answers: one quotes passages, the other uses a language model."""
