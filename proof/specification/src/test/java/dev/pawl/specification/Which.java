package dev.pawl.specification;

import dev.pawl.admin.Choice;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import java.util.stream.Stream;

/** The jobs that a user selects. */
public enum Which {
    ALL,
    OF_KIND_B,
    OF_QUEUE_B,
    WITH_TAG,
    WITH_UNIQUE,
    WITH_KEY_X,
    WAITING,
    COMPLETED,
    DISCARDED;

    JobFilter filter() {
        return switch (this) {
            case ALL -> JobFilter.ALL;
            case OF_KIND_B -> JobFilter.ALL.kind("kb");
            case OF_QUEUE_B -> JobFilter.ALL.queue("b");
            case WITH_TAG -> JobFilter.ALL.tag("tag");
            case WITH_UNIQUE -> JobFilter.ALL.uniqueKey("live");
            case WITH_KEY_X -> JobFilter.ALL.key("x");
            case WAITING ->
                JobFilter.ALL.states(Choice.of(
                        Stream.of(JobState.values()).filter(JobState::isWaiting).toList()));
            case COMPLETED -> JobFilter.ALL.state(JobState.COMPLETED);
            case DISCARDED -> JobFilter.ALL.state(JobState.DISCARDED);
        };
    }

    boolean matches(Spec job) {
        return switch (this) {
            case ALL -> true;
            case OF_KIND_B -> job.kind.equals("kb");
            case OF_QUEUE_B -> job.queue.equals("b");
            case WITH_TAG -> job.tags.contains("tag");
            case WITH_UNIQUE -> "live".equals(job.unique);
            case WITH_KEY_X -> "x".equals(job.key);
            case WAITING -> job.state == JobState.AVAILABLE;
            case COMPLETED -> job.state == JobState.COMPLETED;
            case DISCARDED -> job.state == JobState.DISCARDED;
        };
    }

    /** {@return whether its filter names a state: completed jobs are retried only if it names theirs} */
    boolean names(JobState state) {
        return switch (this) {
            case WAITING -> state.isWaiting();
            case COMPLETED -> state == JobState.COMPLETED;
            case DISCARDED -> state == JobState.DISCARDED;
            default -> false;
        };
    }
}
