package dev.pawl.cli;

import dev.pawl.admin.JobChange;

/**
 * A requested change of jobs.
 *
 * @param change of each job
 * @param one text for one job, such as "is deleted"
 * @param many text for several
 */
record Wanted(JobChange change, String one, String many) {}
