package dev.pawl.spring.boot;

import java.util.regex.Pattern;

/** Turns messages into sentences. */
final class Sentence {
    /** A text that begins with a word; other texts begin with the name of a class, property or bean. */
    private static final Pattern WORD = Pattern.compile("[a-z]+[ ,].*", Pattern.DOTALL);

    private Sentence() {}

    /** {@return the text with a capital letter, unless it begins with a name, and with a full stop} */
    static String of(String text) {
        String begun = WORD.matcher(text).matches() ? Character.toUpperCase(text.charAt(0)) + text.substring(1) : text;
        return begun.endsWith(".") || begun.endsWith(";") ? begun : begun + ".";
    }
}
