"""What is known of each language: its little words, its stems, the words the suite speaks in it. Words are data."""
