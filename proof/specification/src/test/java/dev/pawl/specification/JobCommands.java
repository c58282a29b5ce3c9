package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.CancelResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.SignalResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Commands that change jobs. */
final class JobCommands {
    private static final String GONE = "does not exist (or it was pruned)";
    private static final Map<CancelResult, String> CANCEL = Map.of(
            CancelResult.CANCELLED, "is cancelled",
            CancelResult.REQUESTED, "is running; its worker has been asked to stop it",
            CancelResult.ALREADY_FINISHED, "had finished before; nothing was changed",
            CancelResult.NOT_FOUND, GONE);
    private static final Map<RetryResult, String> RETRY = Map.of(
            RetryResult.AVAILABLE_NOW, "is available now",
            RetryResult.RUNNING, "is running; nothing was changed",
            RetryResult.KEY_TAKEN, "cannot run: another live job has its unique key",
            RetryResult.NOT_FOUND, GONE);
    private static final Map<EditResult, String> EDIT = Map.of(
            EditResult.CHANGED, "is changed",
            EditResult.RUNNING, "is running; nothing was changed",
            EditResult.ALREADY_FINISHED, "had already finished; nothing was changed",
            EditResult.NOT_FOUND, GONE);
    private static final Map<SignalResult, String> SIGNAL = Map.of(
            SignalResult.DELIVERED, "has the signal",
            SignalResult.ALREADY_SENT, "has had that signal before",
            SignalResult.TOO_LATE, "waited for that signal until its timeout",
            SignalResult.ALREADY_FINISHED, "is finished; nothing waits for the signal",
            SignalResult.NOT_FOUND, GONE);

    private JobCommands() {}

    /** {@return the printed text for each job} */
    private static Map<Long, String> printed(Pawl.Said said) {
        Map<Long, String> printed = new LinkedHashMap<>();
        Matcher line = Pattern.compile("(?m)^job (\\d+) (.*)$").matcher(said.out() + said.err());
        while (line.find()) {
            printed.put(Long.valueOf(line.group(1)), line.group(2));
        }
        return printed;
    }

    /** {@return the result of each job} */
    private static <E extends Enum<E>> Map<Long, E> answers(
            Pawl pawl, Pawl.Said said, Class<E> type, Map<E, String> phrases) {
        Map<Long, E> answers = new LinkedHashMap<>();
        if (pawl.isJson()) {
            said.json().forEach(each -> answers.put(each.get("jobId").asLong(), Pawl.word(type, each.get("result"))));
        } else {
            printed(said).forEach((id, words) -> answers.put(id, Pawl.phrase(phrases, words)));
        }
        return answers;
    }

    private static void requireExit(Pawl.Said said, boolean isGood) {
        same("exit code of " + said, isGood ? 0 : 1, said.exit());
    }

    /** Changes jobs by id. A job whose id is given twice is changed once. */
    record ChangeSome(Change change, List<Integer> jobs) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            List<Long> ids = new ArrayList<>();
            for (int job : jobs) {
                ids.add(model.place(job).orElse(99));
            }
            List<String> words = new ArrayList<>(words(change, "job", model));
            words.addAll(2, ids.stream().map(String::valueOf).toList());
            Pawl.Said said = pawl.run(words);
            switch (change) {
                case CANCEL -> {
                    Map<Long, CancelResult> answers = answers(pawl, said, CancelResult.class, CANCEL);
                    requireAll(answers, ids);
                    answers.forEach(model.people::cancel);
                    requireExit(
                            said,
                            answers.values().stream()
                                    .allMatch(
                                            each -> each == CancelResult.CANCELLED || each == CancelResult.REQUESTED));
                }
                case RETRY -> {
                    Map<Long, RetryResult> answers = answers(pawl, said, RetryResult.class, RETRY);
                    requireAll(answers, ids);
                    answers.forEach(model.people::retry);
                    requireExit(said, answers.values().stream().allMatch(each -> each == RetryResult.AVAILABLE_NOW));
                }
                default -> changed(pawl, said, real, model, ids);
            }
        }

        private static void requireAll(Map<Long, ?> answers, List<Long> ids) {
            same("answers", new LinkedHashSet<>(ids), answers.keySet());
        }

        private void changed(Pawl pawl, Pawl.Said said, Real real, Model model, List<Long> ids) {
            Map<Long, Job> listed = real.listed();
            Map<Long, JsonNode> answers = new LinkedHashMap<>();
            if (pawl.isJson()) {
                said.json().forEach(each -> answers.put(each.get("jobId").asLong(), each));
                requireAll(answers, ids);
            } else {
                requireAll(printed(said), ids);
            }
            boolean all = true;
            for (long id : new LinkedHashSet<>(ids)) {
                boolean isChanged = model.people.changeAll(Which.ALL, change, listed, job -> job.id == id) == 1;
                model.mayReleaseKeys(listed); // the key may release a job before the next job is moved
                all &= isChanged;
                JsonNode answer = answers.get(id);
                boolean isSaid = answer == null
                        ? said.out().contains("job " + id + " ")
                        : answer.get("result").asString().equals("changed");
                same(change + " of job " + id + " was changed", isChanged, isSaid);
                if (answer != null) {
                    same(
                            "reason why job " + id + " is left",
                            isChanged ? null : reason(model.job(id)),
                            answer.get("reason").asString(null));
                }
            }
            requireExit(said, all);
        }

        /** {@return the documented reason for skipping a job} */
        private String reason(@Nullable Spec job) {
            if (job == null) {
                return "not_found";
            }
            boolean isLeftForAWhile =
                    job.state == JobState.COMPLETED && (change == Change.DELETE || change == Change.ERASE);
            return isLeftForAWhile ? "busy" : Pawl.word(job.shown());
        }

        @Override
        public String toString() {
            return Op.call("pawl", change, jobs);
        }
    }

    /** {@return the command of a change, and its options} */
    private static List<String> words(Change change, String what, Model model) {
        return switch (change) {
            case CANCEL -> List.of("cancel", what);
            case RETRY -> List.of("retry", what);
            case DELETE -> List.of("delete", what);
            case ERASE -> List.of("erase", what);
            case PRIORITIZE -> List.of("prioritize", what, "--to", "-2");
            case MOVE_TO_B -> List.of("move", what, "--to", "b", "--new");
            case RESCHEDULE_1M ->
                List.of("reschedule", what, "--at", model.now.plusSeconds(60).toString());
            case RESCHEDULE_NOW -> List.of("reschedule", what, "--at", model.now.toString());
        };
    }

    /** Changes all matching jobs, after counting them. */
    record ChangeAll(Which which, Change change, boolean inOneLine) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            List<String> words = new ArrayList<>(words(change, "jobs", model));
            List<String> filter = words(which, inOneLine);
            if (filter.isEmpty()) {
                words.add("--everything");
            }
            words.addAll(filter);
            List<String> dry = new ArrayList<>(words);
            dry.add("--dry-run");
            Pawl.Said counted = pawl.run(dry);
            Pawl.Said said = pawl.run(words);
            long matching = number(pawl, counted, "matching", "([\\d,]+) job\\(s\\) match");
            long changed = number(pawl, said, "changed", "^([\\d,]+) job\\(s\\)");
            long left = pawl.isJson() ? said.json().get("left").asLong() : said.isDone() ? 0 : matching - changed;
            same("jobs changed by " + this, model.people.changeAll(which, change, real.listed()), changed);
            same("jobs that match, and those that were changed or left", matching, changed + left);
            requireExit(said, left == 0);
        }

        private static long number(Pawl pawl, Pawl.Said said, String name, String pattern) {
            return pawl.isJson()
                    ? said.json().get(name).asLong()
                    : Long.parseLong(said.find(pattern).replace(",", ""));
        }

        @Override
        public String toString() {
            return Op.call("pawlAll", which, change, inOneLine);
        }
    }

    /** {@return the options that select jobs: an option for each condition, or one {@code --filter}} */
    static List<String> words(Which which, boolean inOneLine) {
        List<String> words = switch (which) {
            case ALL -> List.of();
            case OF_KIND_B -> List.of("kind", "kb");
            case OF_QUEUE_B -> List.of("queue", "b");
            case WITH_TAG -> List.of("tag", "tag");
            case WITH_UNIQUE -> List.of("uniqueKey", "live");
            case WITH_KEY_X -> List.of("key", "x");
            case WAITING -> List.of("state", "available,blocked,pending,paused");
            case COMPLETED -> List.of("state", "completed");
            case DISCARDED -> List.of("state", "discarded");
        };
        if (words.isEmpty()) {
            return words;
        }
        return inOneLine
                ? List.of("--filter", words.get(0) + ":" + words.get(1))
                : List.of("--" + words.get(0).replace("uniqueKey", "unique-key"), words.get(1));
    }

    /** Edits a waiting job. */
    record EditOne(Edit edit, int job) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong id = model.place(job);
            if (id.isEmpty()) {
                return;
            }
            List<String> words =
                    new ArrayList<>(List.of("edit", "job", Long.toString(id.getAsLong()), "--by", "a person"));
            words.addAll(
                    switch (edit) {
                        case PRIORITY -> List.of("--priority", "3");
                        case PAYLOAD -> List.of("--payload", "3");
                        case LATER -> List.of("--at", model.now.plusSeconds(60).toString());
                        case NOW -> List.of("--at", model.now.toString());
                    });
            Spec spec = model.job(id.getAsLong());
            if (edit == Edit.PAYLOAD && spec != null && spec.waits() && Secret.isSecret(spec.payload)) {
                pawl.refuses(words);
                return;
            }
            Pawl.Said said = pawl.run(words);
            EditResult result = Objects.requireNonNull(
                    answers(pawl, said, EditResult.class, EDIT).get(id.getAsLong()), said::toString);
            model.people.edit(id.getAsLong(), edit, result);
            requireExit(said, result == EditResult.CHANGED);
        }

        @Override
        public String toString() {
            return Op.call("pawlEdit", edit, job);
        }
    }

    /** Retries a job from one of its steps. */
    record RetryFrom(int job, StepOps.Takes step) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong place = model.place(job);
            if (place.isEmpty()) {
                return;
            }
            long id = place.getAsLong();
            String name = step == StepOps.Takes.AWAIT_GO ? "go" : step.name();
            boolean has = model.steps.has(id, name);
            Optional<Pawl.Said> any =
                    pawl.runUnlessRefused(List.of("retry", "job", Long.toString(id), "--from-step", name));
            if (any.isEmpty()) {
                same("a job goes back to a step that it does not have", false, has);
                return;
            }
            Pawl.Said said = any.get();
            RetryResult result = Objects.requireNonNull(
                    answers(pawl, said, RetryResult.class, RETRY).get(id), said::toString);
            model.people.retry(id, result);
            if (result == RetryResult.AVAILABLE_NOW) {
                same("job " + id + " has step " + name, true, has);
                model.steps.forget(id, name);
            }
            requireExit(said, result == RetryResult.AVAILABLE_NOW);
        }

        @Override
        public String toString() {
            return Op.call("pawlRetryFrom", job, step);
        }
    }

    /** Sends a job a signal that it may wait for. */
    record Signal(int job) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong place = model.place(job);
            if (place.isEmpty()) {
                return;
            }
            long id = place.getAsLong();
            String value = "\"" + model.now + "\"";
            Pawl.Said said = pawl.run("signal", "job", Long.toString(id), "go", value);
            SignalResult result = pawl.isJson()
                    ? Pawl.word(SignalResult.class, said.json().get("result"))
                    : Pawl.phrase(SIGNAL, printed(said).getOrDefault(id, ""));
            model.signal(id, "go", value, result);
            requireExit(said, result == SignalResult.DELIVERED);
        }

        @Override
        public String toString() {
            return Op.call("pawlSignal", job);
        }
    }

    /** Deletes jobs whose retention has expired. */
    record Prune() implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            int before = real.listed().size();
            Pawl.Said said = pawl.run("prune");
            long pruned =
                    pawl.isJson() ? said.json().get("pruned").asLong() : Long.parseLong(said.find("pruned (\\d+) job"));
            Map<Long, Job> listed = real.listed();
            same("jobs pruned", (long) before - listed.size(), pruned);
            model.prune(listed::containsKey);
        }

        @Override
        public String toString() {
            return Op.call("pawlPrune");
        }
    }
}
