"""Routes for learners: explanations and labs."""
