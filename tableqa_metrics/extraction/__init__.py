"""What a response says: its answer (`answers`), its table (`tables`), its program (`programs`)."""
