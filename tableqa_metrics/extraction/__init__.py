"""What a response says: its answer (`answers`) or its table (`tables`)."""
