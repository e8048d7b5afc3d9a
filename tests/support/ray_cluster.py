"""A Ray cluster of two nodes on this machine."""

from contextlib import contextmanager


@contextmanager
def two_nodes(*, cpus):
    """Start a cluster, with the second node as ``second`` and the settings of a node as ``room``; connect to it."""
    import ray
    from ray.cluster_utils import Cluster

    room = {"num_cpus": cpus, "object_store_memory": 80 * 2**20}
    cluster = Cluster(initialize_head=True, head_node_args={**room, "include_dashboard": False})
    cluster.second = cluster.add_node(**room)
    cluster.room = room
    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
