package dev.pawl.cli;

import java.util.List;

/** A command that runs on one of several shards, and chooses it itself. */
interface ShardPlaced {
    /**
     * {@return the shard on which the command runs}
     *
     * @param shards all shards
     */
    ShardUrl place(List<ShardUrl> shards);
}
