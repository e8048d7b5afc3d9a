"""Drills that anyone can run for as long as they like; the tests run a part of them."""
