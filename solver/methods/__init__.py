"""Ways to find evidence for a claim, each separately and in an order that saves time."""
