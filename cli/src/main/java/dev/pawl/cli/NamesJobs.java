package dev.pawl.cli;

import java.util.List;

/** A command that takes job ids, which also determine the shard of each job. */
interface NamesJobs {
    /** {@return the ids; empty if the command line names none} */
    List<Long> jobIds();
}
