"""Abstraction: which infosets of a game are played alike, as a map from infosets to buckets.

The compiled game stays the real one. What is learned is learned by bucket
(:mod:`equilibrist.cfr.abstract_cfr`); what is certified is the real game.
"""
