"""Correlated play: equilibria of players, or of teams, who follow a plan that a mediator draws for all of them."""
