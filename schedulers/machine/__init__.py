"""What jobs run on: which of them have room beside each other, and which processors they get."""
