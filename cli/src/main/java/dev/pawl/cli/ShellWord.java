package dev.pawl.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** A name in a command that a user may copy to a POSIX shell: complete, and quoted where necessary. */
final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[\\w./:@,-][\\w./:@,%+=-]*");

    private ShellWord() {}

    /** {@return the last arguments of a command: the name, so that one that begins with a hyphen is not taken for an option} */
    static String last(String name) {
        return (name.startsWith("-") ? "-- " : "") + of(name);
    }

    /** {@return the name as one word} */
    static String of(String name) {
        if (PLAIN.matcher(name).matches()) {
            return name;
        }
        return TerminalEscapes.line(name).equals(name) ? "'" + name.replace("'", "'\\''") + "'" : escaped(name);
    }

    /** In the form of bash and zsh, because a terminal would not show the name as it is. */
    private static String escaped(String name) {
        StringBuilder word = new StringBuilder("$'");
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (each == '\'' || each == '\\') {
                word.append('\\').append((char) each);
            } else if (each >= ' ' && each <= '~') {
                word.append((char) each);
            } else {
                word.append(String.format(Locale.ROOT, "\\x%02x", each));
            }
        }
        return word.append('\'').toString();
    }
}
