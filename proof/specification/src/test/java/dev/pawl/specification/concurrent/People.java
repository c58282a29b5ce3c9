package dev.pawl.specification.concurrent;

import dev.pawl.JobQueue;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Attribute;
import dev.pawl.specification.concurrent.History.Changed;
import dev.pawl.specification.concurrent.History.Confided;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Erased;
import dev.pawl.specification.concurrent.History.Pause;
import dev.pawl.specification.concurrent.History.Verb;
import dev.pawl.specification.concurrent.History.Written;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What users do to jobs and queues. */
final class People {
    private final JobQueue queue;
    private final History history;
    private final Random drawn;
    private final Shared shared;

    People(JobQueue queue, History history, Random drawn, Shared shared) {
        this.queue = queue;
        this.history = history;
        this.drawn = drawn;
        this.shared = shared;
    }

    void cancel() {
        shared.any(Verb.CANCEL, drawn).ifPresent(job -> {
            long from = System.nanoTime();
            CancelResult result = queue.admin().jobs().cancel(job);
            if (result == CancelResult.CANCELLED || result == CancelResult.REQUESTED) {
                history.changed.add(new Changed(Span.since(from), job, Verb.CANCEL, result == CancelResult.CANCELLED));
            }
        });
    }

    void retry() {
        shared.any(Verb.RETRY, drawn).ifPresent(job -> {
            long from = System.nanoTime();
            if (queue.admin().jobs().retry(job) == RetryResult.AVAILABLE_NOW) {
                history.changed.add(new Changed(Span.since(from), job, Verb.RETRY, true));
            }
        });
    }

    void edit() {
        shared.any(Verb.EDIT, drawn).ifPresent(job -> {
            int choice = drawn.nextInt(3);
            String payload = Integer.toString(shared.markers.incrementAndGet());
            int priority = drawn.nextInt(5) - 2;
            JobEdit edit = switch (choice) {
                case 0 -> JobEdit.NOTHING.payload(payload);
                case 1 -> JobEdit.NOTHING.priority(priority);
                default -> JobEdit.NOTHING.availableAt(Instant.now().plusMillis(drawn.nextInt(30)));
            };
            long from = System.nanoTime();
            if (queue.admin().jobs().edit(job, edit, "a person") == EditResult.CHANGED) {
                Span span = Span.since(from);
                history.changed.add(new Changed(span, job, Verb.EDIT, true));
                if (choice == 0) {
                    history.written.add(new Written(span, job, Attribute.PAYLOAD, payload));
                } else if (choice == 1) {
                    history.written.add(new Written(span, job, Attribute.PRIORITY, Integer.toString(priority)));
                }
            }
        });
    }

    void move() {
        shared.any(Verb.MOVE, drawn).ifPresent(job -> {
            String to = Rules.QUEUES.get(drawn.nextInt(Rules.QUEUES.size()));
            long from = System.nanoTime();
            ChangeResult result =
                    queue.admin().jobs().changeAll(JobFilter.ALL.id(job), new JobChange.Move(to), done -> {});
            if (result.changed() == 1) {
                Span span = Span.since(from);
                history.changed.add(new Changed(span, job, Verb.MOVE, true));
                history.written.add(new Written(span, job, Attribute.QUEUE, to));
            }
        });
    }

    /** Erases the jobs of a person. */
    void erase() {
        List<Confided> all = List.copyOf(history.confided);
        if (!all.isEmpty()) {
            boolean unused = erase(all.get(drawn.nextInt(all.size())).name());
        }
    }

    /** {@return whether all jobs of a person could be erased} */
    private boolean erase(String name) {
        long from = System.nanoTime();
        // recorded before the attempt, because some jobs may be erased even if a later transaction fails
        history.erased.add(new Erased(new Span(from, Long.MAX_VALUE), name, false));
        ChangeResult result =
                queue.admin().jobs().changeAll(JobFilter.ALL.tag(name), new JobChange.Erase(), done -> {});
        boolean isDone = result.left() == 0;
        history.erased.add(new Erased(Span.since(from), name, isDone));
        return isDone;
    }

    /**
     * {@return whether no job is left} Erases the jobs that were running at an earlier erasure. A job that has completed in a lane cannot
     * be erased while its range is still searched for late jobs.
     */
    boolean eraseTheRest() {
        return history.erased.stream().map(Erased::name).distinct().toList().stream()
                        .filter(name -> !erase(name))
                        .count()
                == 0;
    }

    /** Pauses a queue while an action runs. */
    void pause(Runnable during) {
        String paused = drawn.nextInt(4) == 0 ? null : Rules.QUEUES.get(drawn.nextInt(Rules.QUEUES.size()));
        try {
            pause(paused);
            Instant from = now();
            during.run();
            history.pauses.add(new Pause(paused, from, now()));
        } finally {
            resume(paused);
        }
    }

    private void pause(@Nullable String paused) {
        if (paused == null) {
            queue.admin().queues().pauseAll();
        } else {
            queue.admin().queues().pause(paused);
        }
    }

    private void resume(@Nullable String paused) {
        boolean unused = paused == null
                ? queue.admin().queues().resumeAll()
                : queue.admin().queues().resume(paused);
    }

    /** {@return the database's time, from a job that is enqueued for this} */
    private Instant now() {
        int marker = Handling.SMOOTH + shared.markers.incrementAndGet();
        long from = System.nanoTime();
        EnqueueResult result = queue.enqueue(Kinds.PLAIN, marker);
        history.enqueued.add(
                new Enqueued(Span.since(from), marker, Kinds.PLAIN.kind(), Kinds.PLAIN.defaults(), result));
        return queue.admin().jobs().find(result.jobId()).map(Job::createdAt).orElseThrow();
    }
}
