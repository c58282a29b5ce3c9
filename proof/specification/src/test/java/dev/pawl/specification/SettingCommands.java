package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.RetentionRule;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands for limits, holds and retentions. */
final class SettingCommands {
    private SettingCommands() {}

    private static List<String> words(String verb, String what, Subject subject) {
        return new ArrayList<>(List.of(verb, what, subject.of().word(), subject.name()));
    }

    /** {@return whether a pause was ended; it is no error if there was none} */
    private static boolean resumed(Pawl pawl, List<String> words) throws SQLException {
        Pawl.Said said = pawl.run(words);
        same("exit code of " + said, 0, said.exit());
        return pawl.isJson()
                ? said.json().get("changed").asBoolean()
                : !said.out().contains(" was not paused");
    }

    private static void add(List<String> words, String option, @Nullable Object value) {
        if (value != null) {
            words.add(option);
            words.add(value.toString());
        }
    }

    private static void set(Pawl pawl, List<String> words) throws SQLException {
        Pawl.Said said = pawl.run(words);
        same("exit code of " + said, 0, said.exit());
    }

    /** The command keeps the parts of a limit that its arguments do not name, so this step always names all parts. */
    private static Object orNone(@Nullable Object part) {
        return part == null ? "none" : part;
    }

    /** A limit of a queue or a kind. */
    record LimitOne(LimitOp.Does does, LimitOp.About about) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            Subject subject = about.subject;
            switch (does) {
                case REMOVE ->
                    model.limits.remove(
                            subject, pawl.run(words("remove", "limit", subject)).isDone());
                case PAUSE_1M -> {
                    set(
                            pawl,
                            List.of(
                                    "pause",
                                    subject.of().word(),
                                    subject.name(),
                                    "--for",
                                    "1m",
                                    "--reason",
                                    "a person wants it",
                                    "--new"));
                    model.limits.pause(subject, model.now.plusSeconds(60));
                }
                case RESUME ->
                    model.limits.resume(
                            subject,
                            resumed(pawl, List.of("resume", subject.of().word(), subject.name(), "--new")));
                default -> {
                    Limit limit = does.sets.apply(about.nothing());
                    List<String> words = words("set", "limit", subject);
                    add(words, "--at-once", orNone(limit.atOnce()));
                    add(words, "--rate", orNone(rate(limit.rate())));
                    if (subject.of() == Subject.Of.QUEUE) {
                        add(words, "--max-waiting", orNone(limit.maxWaiting()));
                    }
                    words.add("--new");
                    set(pawl, words);
                    model.limits.set(limit, model.all().filter(Spec::runs).toList());
                }
            }
        }

        private static @Nullable String rate(@Nullable Rate rate) {
            return rate == null ? null : rate.starts() + "/" + rate.per();
        }

        @Override
        public String toString() {
            return Op.call("pawlLimit", does, about);
        }
    }

    /** Sets how many jobs of each key of a queue run at once. 0 removes the setting, so that one job of a key runs after the other. */
    record KeysAtOnce(String queue, int most) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            Subject keys = Subject.keysOf(queue);
            if (most == 0) {
                Pawl.Said unused = pawl.run(words("remove", "limit", keys));
            } else {
                List<String> words = words("set", "limit", keys);
                add(words, "--at-once", most);
                words.add("--new");
                set(pawl, words);
            }
            model.keysAtOnce(queue, most);
        }

        @Override
        public String toString() {
            return Op.call("pawlKeysAtOnce", queue, most);
        }
    }

    /** Pauses a key for a minute. */
    record PauseKey(String queue, String key) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            set(pawl, List.of("pause", "key", queue, key, "--for", "PT1M", "--new"));
            model.pauseKey(queue, key, Duration.ofMinutes(1), true);
        }

        @Override
        public String toString() {
            return Op.call("pawlPauseKey", queue, key);
        }
    }

    /** Resumes a key. */
    record ResumeKey(String queue, String key) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            model.resumeKey(queue, key, resumed(pawl, List.of("resume", "key", queue, key, "--new")));
        }

        @Override
        public String toString() {
            return Op.call("pawlResumeKey", queue, key);
        }
    }

    /** Sets how long finished jobs of a queue or a kind are kept. */
    record Retain(RetentionOp.About about, RetentionOp.Keeps keeps) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            if (keeps == RetentionOp.Keeps.AS_ALL) {
                Pawl.Said said = pawl.run(words("remove", "retention", about.subject));
                model.retention.clear(about.subject, said.isDone());
                return;
            }
            RetentionRule rule = new RetentionRule(about.subject, keeps.completed, keeps.cancelled, keeps.discarded);
            List<String> words = words("set", "retention", about.subject);
            add(words, "--completed", orNone(rule.completed()));
            add(words, "--cancelled", orNone(rule.cancelled()));
            add(words, "--discarded", orNone(rule.discarded()));
            words.add("--new");
            set(pawl, words);
            model.retention.set(rule);
        }

        @Override
        public String toString() {
            return Op.call("pawlRetain", about, keeps);
        }
    }
}
