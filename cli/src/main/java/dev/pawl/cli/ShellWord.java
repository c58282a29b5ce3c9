package dev.pawl.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** A name in a command that a user may copy to a POSIX shell. It is never truncated, and is quoted if necessary. */
final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[\\w./:@,-][\\w./:@,%+=-]*");

    private ShellWord() {}

    /** {@return the name as the last argument of a command, with {@code --} before it if it could be taken for an option} */
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

    /** Escapes the name as bash and zsh understand it, because a terminal would not show its characters. */
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
