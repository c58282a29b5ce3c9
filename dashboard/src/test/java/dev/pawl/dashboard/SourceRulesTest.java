package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for templates and sources that no compiler checks. */
class SourceRulesTest {
    private static final Path TEMPLATES = Path.of("src/main/jte");
    private static final Pattern FORM = Pattern.compile("<form\\b.*?</form>", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile("@template\\.(\\w+)\\(");
    private static final Pattern BUTTON =
            Pattern.compile("<button\\b(?![^>]*type=\"button\")[^>]*>|<input\\b[^>]*type=\"(?:submit|image)\"[^>]*>");

    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*+\"");
    /** An escaped character, or a class of characters, of a regular expression in a literal. */
    private static final Pattern CHARACTER = Pattern.compile("\\\\\\\\.|\\[[^]]*]");

    private static final Pattern REPEATED_GROUP = Pattern.compile("\\)(?:[*+]|\\{[0-9]+,})(?!\\+)");

    private static List<Path> files(Path folder, String extension) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(extension)).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the calls of other templates by their texts. */
    private static String expanded(String text) {
        return CALL.matcher(text)
                .replaceAll(
                        call -> Matcher.quoteReplacement(expanded(read(TEMPLATES.resolve(call.group(1) + ".jte")))));
    }

    /**
     * Enter in a field, and on a checkbox, presses the first button of its form. If a form has several buttons, the first one must be
     * disabled, so that Enter has no effect.
     */
    @Test
    void enterPressesNoneOfSeveralButtons() throws IOException {
        List<String> forms = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (Path file : files(TEMPLATES, ".jte")) {
            String template = read(file);
            assertThat(template)
                    .as("a button outside of its form: %s", file)
                    .doesNotContainPattern("<button[^>]* form=");
            FORM.matcher(template).results().map(MatchResult::group).forEach(form -> {
                List<String> buttons = BUTTON.matcher(expanded(form))
                        .results()
                        .map(MatchResult::group)
                        .toList();
                forms.add(form);
                if (buttons.size() > 1 && !buttons.get(0).contains(" disabled")) {
                    wrong.add(file + ": " + form);
                }
            });
        }
        assertThat(forms).hasSizeGreaterThan(15).anyMatch(form -> form.contains("id=\"selected\""));
        assertThat(wrong).isEmpty();
    }

    /** The matcher calls itself for each repetition of a group, so a long text overflows the stack. */
    @Test
    void noRegularExpressionRepeatsAGroupWithoutALimit() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : files(Path.of("src/main/java"), ".java")) {
            LITERAL.matcher(read(file))
                    .results()
                    .map(MatchResult::group)
                    .filter(literal -> REPEATED_GROUP
                            .matcher(CHARACTER.matcher(literal).replaceAll("c"))
                            .find())
                    .forEach(literal -> wrong.add(file + ": " + literal));
        }
        assertThat(wrong).isEmpty();
    }
}
