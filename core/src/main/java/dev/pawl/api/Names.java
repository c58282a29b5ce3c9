package dev.pawl.api;

/** Checks of the names that users choose: kinds, queues, unique keys, tags and headers. */
public final class Names {
    private static final int MAX_NAME = 100;
    private static final int MAX_KEY = 200;

    private Names() {}

    public static String check(String what, String name) {
        if (name == null || name.length() > MAX_NAME || !isName(name)) {
            throw new IllegalArgumentException(what + " '" + name + "' is not valid: use 1 to " + MAX_NAME
                    + " letters, digits or . _ : / - and start with a letter or a digit");
        }
        return name;
    }

    /**
     * Checks each character, because bulk enqueues call this for each job and a regular expression takes five times as
     * long.
     */
    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && (i == 0 || "._:/-".indexOf(c) < 0)) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /** Refuses blanks at the ends, because MySQL ignores them when it compares strings. */
    public static String checkKey(String what, String key) {
        if (key.isEmpty()
                || key.length() > MAX_KEY
                || !key.strip().equals(key)
                || key.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidJobException(what + " '" + key + "' is not valid: use 1 to " + MAX_KEY
                    + " characters, no control characters, no blank at either end");
        }
        checkText(what, key, key);
        return key;
    }

    /** Checks that every database can store a text. */
    public static void checkText(String what, String name, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidJobException("the " + what + " '" + name
                    + "' holds a NUL character, which PostgreSQL cannot store: encode it, for example as \\u0000");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                i += requirePair(what, name, text, i);
            }
        }
    }

    /** Refuses half of a surrogate pair, because every database would silently store a question mark instead. */
    private static int requirePair(String what, String name, String text, int at) {
        if (at + 1 == text.length() || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
            throw new InvalidJobException("the " + what + " '" + name + "' holds half of a surrogate pair at character "
                    + at + ", which is not valid text: was a string cut in the middle of a character?");
        }
        return 1;
    }
}
