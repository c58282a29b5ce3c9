package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.limit.PausedKey;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Commands that show something. */
final class ListCommands {
    private ListCommands() {}

    /** Jobs, the newest first. */
    record ListJobs(Which which, boolean inOneLine) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            List<String> words = new ArrayList<>(List.of("jobs", "--limit", "1000"));
            words.addAll(JobCommands.words(which, inOneLine));
            Pawl.Said said = pawl.run(words);
            same("exit code of " + said, 0, said.exit());
            Map<Long, Job> all = real.listed();
            List<Long> ids = new ArrayList<>();
            if (pawl.isJson()) {
                FromJson.list(said.json(), FromJson::job).forEach(job -> {
                    ids.add(job.id());
                    all.put(job.id(), job);
                });
            } else {
                Matcher row = Pattern.compile("(?m)^ *(\\d+)  [a-z]").matcher(said.out());
                while (row.find()) {
                    ids.add(Long.valueOf(row.group(1)));
                }
            }
            model.compare(all);
            List<Long> matching = new ArrayList<>(
                    model.all().filter(which::matches).map(job -> job.id).toList());
            Collections.reverse(matching);
            same("jobs that match " + which, matching, ids);
        }

        @Override
        public String toString() {
            return Op.call("pawlJobs", which, inOneLine);
        }
    }

    /** One job with all its details. */
    record ShowJob(int job) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong place = model.place(job);
            Pawl.Said said = pawl.run("job", Long.toString(place.orElse(99)));
            same("exit code of " + said, place.isPresent() ? 0 : 1, said.exit());
            if (place.isEmpty()) {
                return;
            }
            long id = place.getAsLong();
            Map<Long, Job> all = real.listed();
            if (!pawl.isJson()) {
                model.compare(all);
                JobState state = Objects.requireNonNull(model.job(id)).shown();
                same("state of job " + id, Pawl.word(state), said.find("(?m)^state +(\\w+)$"));
                return;
            }
            JsonNode json = said.json();
            all.put(id, FromJson.job(json));
            model.compare(all);
            Spec spec = Objects.requireNonNull(model.job(id));
            model.compareSteps(Set.of(id), any -> FromJson.list(json.get("steps"), FromJson::step));
            if (spec.hadResult) {
                String result = spec.result == null ? null : spec.result.toString();
                same("result of job " + id, result, FromJson.text(json, "result"));
            }
            requireReasons(model, spec, FromJson.list(json.get("waitReasons"), FromJson::waitReason));
        }

        @Override
        public String toString() {
            return Op.call("pawlJob", job);
        }
    }

    /** The reasons that the model knows; other reasons depend on workers and on the order of jobs. */
    private static final Set<Cause> KNOWN = EnumSet.of(
            Cause.ALL_PAUSED,
            Cause.QUEUE_PAUSED,
            Cause.BATCH_PAUSED,
            Cause.BATCH_CANARY,
            Cause.BATCH_STOPPED,
            Cause.EXPIRED,
            Cause.WORKFLOW_PENDING,
            Cause.KEY_OUTAGE,
            Cause.SCHEDULED,
            Cause.OUTAGE);

    private static void requireReasons(Model model, Spec job, List<WaitReason> reasons) {
        same("job " + job.id + " waits", job.waits(), !reasons.isEmpty());
        if (!job.waits()) {
            return;
        }
        Set<Cause> expected = EnumSet.noneOf(Cause.class);
        add(expected, Cause.ALL_PAUSED, model.allPaused);
        add(expected, Cause.QUEUE_PAUSED, model.isPaused(job.queue));
        if (model.batches.isStopped(job)) {
            expected.add(Cause.BATCH_STOPPED);
        } else if (model.batches.isPaused(job) || job.paused) {
            expected.add(model.batches.waitsForFirst(job) ? Cause.BATCH_CANARY : Cause.BATCH_PAUSED);
        }
        add(expected, Cause.EXPIRED, model.isExpired(job));
        add(expected, Cause.WORKFLOW_PENDING, job.pending);
        boolean isLater = !job.pending && !job.paused && model.now.isBefore(job.due);
        add(expected, Cause.SCHEDULED, isLater);
        add(expected, Cause.KEY_OUTAGE, job.blocked && model.isOnHold(job));
        Instant held = model.limits.pausedUntil(job);
        add(expected, Cause.OUTAGE, model.now.isBefore(held));
        Set<Cause> found = EnumSet.noneOf(Cause.class);
        for (WaitReason reason : reasons) {
            boolean isTried =
                    (reason.cause() == Cause.KEY_OUTAGE || reason.cause() == Cause.OUTAGE) && reason.until() == null;
            boolean isMoment = reason.cause() == Cause.RETRY || reason.cause() == Cause.SIGNAL;
            Cause cause = isMoment ? Cause.SCHEDULED : reason.cause();
            if (KNOWN.contains(cause) && !isTried) {
                found.add(cause);
            }
            if (cause == Cause.SCHEDULED && job.dueUntil == null) {
                same("until when job " + job.id + " waits", job.due, reason.until());
            }
        }
        same("why job " + job.id + " waits", expected, found);
    }

    private static void add(Set<Cause> causes, Cause cause, boolean is) {
        if (is) {
            causes.add(cause);
        }
    }

    /** The other views. */
    enum Shows implements Command {
        LIMITS {
            @Override
            void compare(JsonNode json, Real real, Model model) {
                model.limits.compare(FromJson.list(json, FromJson::limit));
            }
        },
        LIMITS_KEYS {
            @Override
            void compare(JsonNode json, Real real, Model model) {
                Map<String, Instant> seen = new HashMap<>();
                for (PausedKey held : FromJson.list(json, FromJson::pausedKey)) {
                    seen.put(held.queue() + " " + held.key(), held.pause().until());
                }
                model.compareHeldKeys(seen);
            }
        },
        RETENTION {
            @Override
            void compare(JsonNode json, Real real, Model model) {
                model.retention.compare(FromJson.list(json, FromJson::retention));
            }
        },
        SCHEDULES {
            @Override
            void compare(JsonNode json, Real real, Model model) {
                model.schedules.compare(FromJson.list(json, FromJson::schedule));
            }
        },
        SLOTS {
            @Override
            void compare(JsonNode json, Real real, Model model) {
                model.slots.compare(
                        FromJson.list(json, FromJson::slots),
                        series -> real.queue.slots().gaps(series, 1_000),
                        model.now);
            }
        },
        QUEUES {
            @Override
            void compare(JsonNode json, Real real, Model model) {
                model.compare(real.listed());
                for (JsonNode queue : json) {
                    String name = queue.get("name").asString();
                    List<Spec> jobs =
                            model.all().filter(job -> job.queue.equals(name)).toList();
                    same(name + " is paused", model.allPaused || model.isPaused(name), FromJson.is(queue, "paused"));
                    long waiting = FromJson.count(queue, "available")
                            + FromJson.count(queue, "delayed")
                            + FromJson.count(queue, "retrying");
                    same(name + " waiting", jobs.stream().filter(Spec::waits).count(), waiting);
                    same(
                            name + " pending",
                            jobs.stream().filter(job -> job.pending).count(),
                            FromJson.count(queue, "pending"));
                    same(name + " running", jobs.stream().filter(Spec::runs).count(), FromJson.count(queue, "running"));
                    for (JobState state : List.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED)) {
                        String word = Pawl.word(state);
                        same(
                                name + " " + word,
                                jobs.stream().filter(job -> job.state == state).count(),
                                FromJson.count(queue, word));
                    }
                }
                Set<String> shown =
                        Set.copyOf(FromJson.list(json, each -> each.get("name").asString()));
                require(
                        model.all().allMatch(job -> shown.contains(job.queue)),
                        "of the queues with jobs only %s are shown",
                        shown);
            }
        };

        abstract void compare(JsonNode json, Real real, Model model);

        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            String[] words = switch (this) {
                case LIMITS_KEYS -> new String[] {"limits", "--keys"};
                case RETENTION -> new String[] {"retentions"};
                default -> new String[] {Pawl.word(this)};
            };
            Pawl.Said said = pawl.run(words);
            same("exit code of " + said, 0, said.exit());
            if (pawl.isJson()) {
                compare(said.json(), real, model);
            }
        }

        @Override
        public String toString() {
            return "Shows." + name();
        }
    }

    /** The progress of a batch. */
    record ShowBatch(int batch) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong id = model.batches.at(batch);
            if (id.isEmpty()) {
                return;
            }
            Pawl.Said said = pawl.run("batch", Long.toString(id.getAsLong()));
            same("exit code of " + said, 0, said.exit());
            if (pawl.isJson()) {
                model.batches.compare(id.getAsLong(), FromJson.batch(said.json()));
            }
        }

        @Override
        public String toString() {
            return Op.call("pawlBatch", batch);
        }
    }
}
