package dev.pawl.cli;

import java.util.List;

/** A command that takes job ids, which also determine the shard of each job. */
interface NamesJobs {
    /** {@return the ids of jobs on whose shards the command runs; empty if the command line names none} */
    List<Long> routingIds();
}
