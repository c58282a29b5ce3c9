package dev.pawl.cli;

import java.util.List;

/** A command that is for one of several shards, and decides itself for which. */
interface ShardPlaced {
    /**
     * {@return the shard that the command is for}
     *
     * @param shards all of them
     */
    ShardUrl place(List<ShardUrl> shards);
}
