"""What a question is asked about: the context that the prompt of each setting shows."""
