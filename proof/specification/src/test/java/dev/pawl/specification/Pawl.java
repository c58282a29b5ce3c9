package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;

import dev.pawl.cli.InProcess;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line, as a user or a script runs it on the database of a program. */
final class Pawl {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Stage stage;
    private final boolean json;

    Pawl(Stage stage, boolean json) {
        this.stage = stage;
        this.json = json;
    }

    /** {@return whether commands print JSON} */
    boolean isJson() {
        return json;
    }

    /**
     * The result of a command.
     *
     * @param words the command
     * @param exit its exit code
     * @param out its standard output
     * @param err its error output
     */
    record Said(String words, int exit, String out, String err) {
        JsonNode json() {
            require(!out.isBlank(), "%s printed nothing", this);
            return MAPPER.readTree(out);
        }

        /** {@return the first group of a pattern in its standard or error output} */
        String find(String pattern) {
            Matcher found = Pattern.compile(pattern).matcher(out + err);
            require(found.find(), "%s does not say %s", this, pattern);
            return found.group(1);
        }

        boolean isDone() {
            return exit == 0;
        }

        @Override
        public String toString() {
            return "'pawl " + words + "' (" + exit + ": " + out.strip() + err.strip() + ")";
        }
    }

    /** Runs a command that succeeds, or finds nothing to do. */
    Said run(List<String> words) throws SQLException {
        return checked(any(words));
    }

    private static Said checked(Said said) {
        require(said.exit <= 1 && !said.err.contains("unexpected"), "%s failed", said);
        return said;
    }

    Said run(String... words) throws SQLException {
        return run(List.of(words));
    }

    /** Runs a command that must fail, because its arguments are invalid. */
    void refuses(List<String> words) throws SQLException {
        Said said = any(words);
        require(said.exit == 2 && said.out.isEmpty() && said.err.startsWith("pawl: "), "%s is not refused", said);
    }

    /** {@return the result of a command; empty if its arguments are invalid} */
    Optional<Said> runUnlessRefused(List<String> words) throws SQLException {
        Said said = any(words);
        return said.exit == 2 ? Optional.empty() : Optional.of(checked(said));
    }

    private Said any(List<String> words) throws SQLException {
        List<String> all = new ArrayList<>(words);
        if (json) {
            all.add("--json");
        }
        try (StageDriver driver = StageDriver.of(stage)) {
            all.addAll(List.of("--db", driver.url()));
            InProcess.Result result = InProcess.run(all.toArray(String[]::new));
            return new Said(String.join(" ", words), result.exit(), result.out(), result.err());
        }
    }

    /** {@return the printed word for a value} */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** {@return the value for a printed word} */
    static <E extends Enum<E>> E word(Class<E> type, JsonNode word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> word(each).equals(word.asString()))
                .findFirst()
                .orElseThrow(() -> new Difference(word + " is no word of " + type.getSimpleName()));
    }

    /** {@return the value for a printed phrase} */
    static <E> E phrase(Map<E, String> phrases, String text) {
        return phrases.entrySet().stream()
                .filter(each -> text.startsWith(each.getValue()))
                .map(each -> Objects.requireNonNull(each.getKey()))
                .findFirst()
                .orElseThrow(() -> new Difference("'" + text + "' is none of " + phrases.values()));
    }
}
