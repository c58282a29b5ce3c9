package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.api.EnqueueResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Jobs enqueued by the command line. */
final class EnqueueCommands {
    private EnqueueCommands() {}

    /** The options of an enqueue as command-line arguments. Of two exclusive options, the last one counts. */
    private static final class Words {
        private final Map<String, String> options = new LinkedHashMap<>();
        private final List<String> more = new ArrayList<>();

        Words(List<Opt> all, long batch) {
            all.forEach(opt -> add(opt, batch));
        }

        private static final String REFUSED = "9000-01-01T00:00:00Z";

        private void add(Opt opt, long batch) {
            switch (opt) {
                case KIND_B, PAYLOAD_2, SECRET, IN_BATCH -> {}
                case QUEUE_B -> options.put("--queue", "b");
                case FIRST -> options.put("--priority", "-1");
                case LAST -> options.put("--priority", "5");
                case DELAY_10S -> delay("10s");
                case DELAY_2H -> delay("2h");
                case ONE_ATTEMPT -> options.put("--max-attempts", "1");
                case TWO_ATTEMPTS -> options.put("--max-attempts", "2");
                case RETRY_7S -> options.put("--retry", "7s");
                case TAG -> options.put("--tag", "tag");
                case COST_3 -> options.put("--cost", "3");
                case EXPIRES_5S -> options.put("--expires-in", "5s");
                case EXPIRES_1M -> options.put("--expires-in", "PT1M");
                case KEY_X -> options.put("--key", "x");
                case KEY_Y -> options.put("--key", "y");
                case UNIQUE -> unique("live", "live");
                case UNIQUE_WAITING -> unique("waiting", "waiting");
                case UNIQUE_DISCARDED -> unique("discarded", "live-or-discarded");
                case UNIQUE_KEPT -> unique("kept", "kept");
                case UNIQUE_1M -> {
                    unique("minute", "live");
                    options.put("--unique-for", "1m");
                }
                case UNIQUE_20D -> {
                    unique("days", "live");
                    options.put("--unique-for", "20d");
                }
                case AT_8999 -> at("8999-01-01T00:00:00Z");
                case AT_9000 -> options.put("--at", REFUSED);
                case AT_8500 -> at("8500-01-01T00:00:00Z");
                case FORGED_MEMBER -> {
                    if (batch != 0) {
                        more.addAll(List.of("--header", "pawl-batch:" + batch, "--header", "pawl-added-by:1"));
                    }
                }
                case REPLACE -> more.add("--replace");
            }
        }

        /** Of a delay and a moment, the last one replaces the other, but nothing replaces the moment that the command refuses. */
        private void delay(String length) {
            if (!REFUSED.equals(options.get("--at"))) {
                options.remove("--at");
            }
            options.put("--delay", length);
        }

        private void at(String moment) {
            if (!REFUSED.equals(options.get("--at"))) {
                options.put("--at", moment);
            }
            options.remove("--delay");
        }

        private void unique(String key, String scope) {
            options.remove("--unique-for");
            options.put("--unique-key", key);
            options.put("--unique-while", scope);
        }

        List<String> after(String... first) {
            List<String> words = new ArrayList<>(List.of(first));
            options.forEach((name, value) -> words.addAll(List.of(name, value)));
            words.addAll(more.contains("--replace") ? more.stream().distinct().toList() : more);
            return words;
        }
    }

    /** Enqueues one job, which cannot become part of a batch. */
    record Enqueue(List<Opt> options) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            List<Opt> possible = options.stream()
                    .filter(opt -> opt != Opt.IN_BATCH)
                    .distinct()
                    .toList();
            Optional<Request> wanted = new Op.Enqueue(possible).wanted(real, model);
            String payload =
                    possible.contains(Opt.SECRET) ? Secret.PAYLOAD : possible.contains(Opt.PAYLOAD_2) ? "2" : "1";
            List<String> words = new Words(possible, model.batches.last())
                    .after("enqueue", possible.contains(Opt.KIND_B) ? "kb" : "ka", payload);
            if (wanted.isEmpty() || possible.contains(Opt.SECRET)) { // not JSON
                pawl.refuses(words);
                return;
            }
            Pawl.Said said = pawl.run(words);
            same("exit code of " + said, 0, said.exit());
            model.enqueue(wanted.get(), pawl.isJson() ? result(said.json()) : result(said));
        }

        private static EnqueueResult result(JsonNode json) {
            return result(json.get("result").asString(), json.get("jobId").asLong());
        }

        private static EnqueueResult result(Pawl.Said said) {
            return result(said.find("(\\w+) job \\d"), Long.parseLong(said.find("job (\\d+)")));
        }

        private static EnqueueResult result(String word, long id) {
            return switch (word) {
                case "inserted" -> new EnqueueResult.Inserted(id);
                case "duplicate" -> new EnqueueResult.Duplicate(id);
                case "replaced" -> new EnqueueResult.Replaced(id);
                default -> throw new Difference("an enqueue was " + word);
            };
        }

        @Override
        public String toString() {
            return Op.call("pawlEnqueue", options.toArray());
        }
    }

    /** Enqueues a job for each line of a file, or none if the last line is not JSON. */
    record EnqueueLines(List<Opt> options, int jobs, boolean isCut) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            Request each = new Op.Enqueue(options).wanted(real, model).orElseThrow();
            Path file = file();
            List<String> words = new Words(options, 0).after("enqueue", each.kind(), "--lines", file.toString());
            try {
                if (isCut) {
                    pawl.refuses(words);
                    return;
                }
                Map<Long, ?> before = real.listed();
                Pawl.Said said = pawl.run(words);
                long inserted = pawl.isJson()
                        ? said.json().get("inserted").asLong()
                        : Long.parseLong(said.find("inserted (\\d+) jobs"));
                same("inserted", (long) jobs, inserted);
                real.listed().keySet().stream()
                        .filter(id -> !before.containsKey(id))
                        .sorted()
                        .forEach(id -> model.enqueue(each, new EnqueueResult.Inserted(id)));
            } finally {
                file.toFile().delete();
            }
        }

        private Path file() {
            try {
                Path file = Files.createTempFile("specification", ".lines");
                return Files.writeString(file, "1\n\n" + "1\n".repeat(jobs - 1) + (isCut ? "{" : ""));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return Op.call("pawlEnqueueLines", options, jobs, isCut);
        }
    }
}
