package dev.pawl.cli;

import java.util.List;

/** A command about jobs that it names by their ids, which also say on which shard they are. */
interface NamesJobs {
    /** {@return the ids; empty if the command line names none} */
    List<Long> jobIds();
}
