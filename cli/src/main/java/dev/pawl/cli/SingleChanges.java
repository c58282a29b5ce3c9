package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** Changes jobs by their ids, in the way in which {@link MatchingOptions} changes all that match. */
final class SingleChanges {
    @Parameters(arity = "0..*", paramLabel = "ID", description = "The jobs' ids.")
    private List<Long> ids = new ArrayList<>();

    List<Long> ids() {
        return ids;
    }

    /**
     * @param done what is said of a job that was changed
     * @return the exit code: 1 if one was not
     */
    int change(CliCommand command, JobAdmin admin, JobChange change, String done) {
        List<Object> answers = new ArrayList<>();
        boolean all = true;
        for (long id : new LinkedHashSet<>(ids)) { // one that is named twice is changed once
            ChangeResult result = admin.changeAll(JobFilter.ALL.id(id), change, count -> {});
            boolean isDone = result.changed() == 1;
            all &= isDone;
            String answer = isDone ? done : otherwise(admin.find(id), change);
            answers.add(JsonForm.object("jobId", id, "result", isDone ? "changed" : "left", "message", answer));
            if (!command.output().isJson()) {
                (isDone ? command.out() : command.err()).println("job " + id + " " + answer);
            }
        }
        if (command.output().isJson()) {
            command.output().json(command.out(), answers);
        }
        return all ? 0 : 1;
    }

    private static String otherwise(Optional<Job> job, JobChange change) {
        if (job.isEmpty()) {
            return "does not exist (or it was pruned)";
        }
        JobState state = job.get().state();
        long id = job.get().id();
        if (change instanceof JobChange.Erase && state == JobState.RUNNING) {
            return "is running and was asked to stop; erase it again when it has ended";
        }
        if (change instanceof JobChange.Delete && !state.isFinished()) {
            return "is " + Texts.state(job.get()) + ": only ended jobs can be deleted; pawl cancel " + id + " first";
        }
        boolean isForWaiting = change instanceof JobChange.Move
                || change instanceof JobChange.Reschedule
                || change instanceof JobChange.Prioritize;
        if (isForWaiting && state != JobState.AVAILABLE) {
            String done = change instanceof JobChange.Move
                    ? "moved"
                    : change instanceof JobChange.Reschedule ? "rescheduled" : "prioritized";
            return "is " + Texts.state(job.get()) + ": only jobs that wait can be " + done
                    + (state == JobState.RUNNING
                            ? "; it can be when it waits for a retry, and pawl cancel " + id + " asks it to stop"
                            : "; pawl retry " + id + " makes it wait again");
        }
        if (change instanceof JobChange.Reschedule && job.get().isBlocked()) {
            return "waits for other jobs of its workflow, not for a time; pawl retry " + id
                    + " runs it before they have ended";
        }
        return "is " + state.name().toLowerCase(Locale.ROOT) + " or locked by somebody; nothing was changed";
    }
}
