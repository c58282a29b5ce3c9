package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Changes jobs by their ids, with the output of {@link MatchingOptions}. */
final class SingleChanges {
    private SingleChanges() {}

    /**
     * @param ids without repetitions
     * @param done text for a changed job
     * @return the exit code: 1 if any of the jobs was not changed
     */
    static int change(CliCommand command, Admin admin, List<Long> ids, JobChange change, String done) {
        List<Object> answers = new ArrayList<>();
        boolean all = true;
        for (long id : ids) {
            ChangeResult result = admin.jobs().changeAll(JobFilter.ALL.id(id), change, count -> {});
            boolean isDone = result.changed() == 1;
            all &= isDone;
            Optional<Job> left = isDone ? Optional.empty() : admin.jobs().find(id);
            String answer = isDone ? done : otherwise(left, change);
            answers.add(JsonForm.object(
                    "jobId",
                    id,
                    "result",
                    isDone ? "changed" : "left",
                    "reason",
                    isDone ? null : reason(left, change),
                    "message",
                    answer));
            if (!command.output().isJson()) {
                (isDone ? command.out() : command.err()).println("job " + id + " " + answer);
            }
        }
        if (command.output().isJson()) {
            command.output().json(command.out(), answers);
        }
        return all ? 0 : 1;
    }

    /** {@return why a job was not changed, in one word for programs} */
    private static String reason(Optional<Job> job, JobChange change) {
        if (job.isEmpty()) {
            return "not_found";
        }
        return isPossible(change, job.get().state()) ? "busy" : Texts.state(job.get());
    }

    private static boolean isPossible(JobChange change, JobState state) {
        return change instanceof JobChange.Erase
                ? state != JobState.RUNNING
                : change instanceof JobChange.Delete
                        ? state.isFinished()
                        : change instanceof JobChange.Reschedule
                                ? state == JobState.AVAILABLE || state == JobState.BLOCKED
                                : state.isWaiting();
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
            return "is " + Texts.state(job.get()) + ": only ended jobs can be deleted; pawl cancel job " + id
                    + " first";
        }
        boolean isForWaiting = change instanceof JobChange.Move
                || change instanceof JobChange.Reschedule
                || change instanceof JobChange.Prioritize;
        if (isForWaiting && !state.isWaiting()) {
            String done = change instanceof JobChange.Move
                    ? "moved"
                    : change instanceof JobChange.Reschedule ? "rescheduled" : "prioritized";
            return "is " + Texts.state(job.get()) + ": only jobs that wait can be " + done
                    + (state == JobState.RUNNING
                            ? "; it can be when it waits for a retry, and pawl cancel job " + id + " asks it to stop"
                            : "; pawl retry job " + id + " makes it wait again");
        }
        if (change instanceof JobChange.Reschedule && job.get().state() == JobState.PENDING) {
            return "waits for other jobs of its workflow, not for a time; pawl retry job " + id
                    + " runs it before they have ended";
        }
        if (change instanceof JobChange.Reschedule && job.get().state() == JobState.PAUSED) {
            return "is paused with its batch, not scheduled; pawl batch "
                    + job.get().batch().orElse(0) + " shows why";
        }
        return "is " + state.name().toLowerCase(Locale.ROOT) + " or locked by another transaction; nothing was changed";
    }
}
