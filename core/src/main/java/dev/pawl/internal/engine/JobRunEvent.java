package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A run in Java's flight recorder, without payload and error. */
@Name("dev.pawl.api.JobRun")
@Label("Job Run")
@Category("Pawl")
@Description("The call of a job's handler")
@StackTrace(false)
final class JobRunEvent extends Event {
    @Label("Job Id")
    long jobId;

    @Label("Kind")
    String kind = "";

    @Label("Queue")
    String queue = "";

    @Label("Attempt")
    int attempt;

    @Label("Outcome")
    @Description("completed, failed, discarded, snoozed, cancelled, handed off, or lease lost")
    String outcome = "";

    void ended(Job job, String how) {
        end();
        if (shouldCommit()) {
            jobId = job.id();
            kind = job.kind();
            queue = job.queue();
            attempt = job.attempt();
            outcome = how;
            commit();
        }
    }
}
