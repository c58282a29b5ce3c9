package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordTest {
    @Test
    void namesAreQuotedOnlyWhereNecessary() {
        assertThat(ShellWord.of("customer-17")).isEqualTo("customer-17");
        assertThat(ShellWord.of("a/b:c@d.e")).isEqualTo("a/b:c@d.e");
        assertThat(ShellWord.of("~root")).isEqualTo("'~root'");
        assertThat(ShellWord.of("Zoë")).isEqualTo("'Zoë'");
        assertThat(ShellWord.of("it's")).isEqualTo("'it'\\''s'");
        assertThat(ShellWord.of("a\u202eb'\\")).isEqualTo("$'a\\xe2\\x80\\xaeb\\'\\\\'");
        assertThat(ShellWord.last("-x")).isEqualTo("-- -x");
    }

    @Test
    void aShellReadsTheSameName() throws Exception {
        for (String name :
                List.of("x y", "$HOME", "a`id`", "it's", "a\"b", "\\", "*", "#x", "a\u202eb'\\c", "\u2028😀")) {
            Process shell = new ProcessBuilder("bash", "-c", "printf %s " + ShellWord.of(name)).start();
            assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(name);
        }
    }
}
