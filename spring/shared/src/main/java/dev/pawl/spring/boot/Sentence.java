package dev.pawl.spring.boot;

import java.util.regex.Pattern;

/** Makes sentences of messages. */
final class Sentence {
    /** Others are names of classes, properties or beans. */
    private static final Pattern WORD = Pattern.compile("[a-z]+[ ,].*", Pattern.DOTALL);

    private Sentence() {}

    /** {@return the text with a capital letter, unless it begins with a name, and with a full stop} */
    static String of(String text) {
        String begun = WORD.matcher(text).matches() ? Character.toUpperCase(text.charAt(0)) + text.substring(1) : text;
        return begun.endsWith(".") || begun.endsWith(";") ? begun : begun + ".";
    }
}
