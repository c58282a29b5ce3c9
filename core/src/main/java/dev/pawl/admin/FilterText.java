package dev.pawl.admin;

import dev.pawl.api.JobState;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@link JobFilter} as one line of text: {@code state:discarded kind:mail.send text:"time out" from:2026-11-01}.
 *
 * <p>A line has words separated by blanks. Each word is a qualifier, a colon and a value; a job must match all words. A value with blanks
 * is enclosed in double quotes, in which a backslash escapes the next character. The qualifiers are {@code state}, {@code queue}, {@code
 * kind}, {@code tag}, {@code key}, {@code uniqueKey}, {@code text}, {@code from} and {@code until}; {@code unique-key}, {@code since} and
 * {@code before} are synonyms of {@code uniqueKey}, {@code from} and {@code until}. The case of qualifiers and states does not matter.
 * Times are {@code 2026-11-01T08:00:00Z}, with any offset; {@code 2026-11-01}, the start of that day in UTC; or {@code 30s}, {@code 15m},
 * {@code 2h}, {@code 7d} before now.
 *
 * <p>{@code state}, {@code queue} and {@code kind} take several values, {@code kind:a,b} or {@code kind:a kind:b}, of which one must match;
 * a leading minus excludes values: {@code -kind:c}. Each other qualifier may appear once, without a minus.
 */
public final class FilterText {
    /** The maximum length of a line in characters. */
    public static final int LONGEST = 4_000;

    private static final List<String> QUALIFIERS =
            List.of("state", "queue", "kind", "tag", "key", "uniqueKey", "text", "from", "until");
    /** The qualifiers that take several values and can exclude. Their values contain no comma. */
    private static final Set<String> CHOICES = Set.of("state", "queue", "kind");

    private static final Map<String, String> OTHER_NAMES =
            Map.of("unique-key", "uniqueKey", "uniquekey", "uniqueKey", "since", "from", "before", "until");
    private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");
    private static final int LONGEST_ECHO = 40;

    /**
     * A qualifier with its value.
     *
     * @param name the canonical name of the qualifier
     * @param typed the qualifier as in the line
     * @param at its position, from 1
     * @param excludes whether it has a leading minus
     */
    private record Word(String name, String typed, String value, int at, boolean excludes) {
        /** {@return its values, split at commas} */
        List<String> values() {
            List<String> values = List.of(value.split(",", -1));
            if (values.contains("")) {
                throw new IllegalArgumentException(
                        "'" + typed + "' at character " + at + " has an empty value: write it like " + name + ":a,b");
            }
            return values;
        }
    }

    private final String line;
    private int place;

    private FilterText(String line) {
        this.line = line;
    }

    /** {@return the names of all qualifiers, in display order} */
    public static List<String> qualifiers() {
        return QUALIFIERS;
    }

    /**
     * Returns the canonical name of a qualifier.
     *
     * @param name of a qualifier or one of its synonyms, in any case
     * @return its name as in {@link #qualifiers}; null if there is none
     */
    public static @Nullable String qualifier(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return QUALIFIERS.contains(lower) ? lower : OTHER_NAMES.get(lower);
    }

    /**
     * Parses a line.
     *
     * @param line the line; empty or blank for no condition
     * @param rest conditions to combine with those of the line, including the page; {@link JobFilter#ALL} for none
     * @param now the time to which relative times such as {@code 2h} refer
     * @return the combined filter
     * @throws IllegalArgumentException if the line is malformed (the message has the position and the remedy), or if it repeats a condition
     *     of {@code rest}
     */
    public static JobFilter parse(String line, JobFilter rest, Instant now) {
        if (line.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "the filter is too long: " + line.length() + " characters; " + LONGEST + " are the most");
        }
        Set<String> seen = new HashSet<>();
        FilterText reader = new FilterText(line);
        JobFilter filter = rest;
        for (Word word = reader.next(); word != null; word = reader.next()) {
            if (!seen.add(word.name) && !CHOICES.contains(word.name)) {
                throw new IllegalArgumentException("'" + word.typed + "' at character " + word.at
                        + " is the second: only state, queue and kind take several values");
            }
            requireFree(isGiven(rest, word.name), word);
            filter = with(filter, word, now);
        }
        return filter;
    }

    /**
     * Tells whether a qualifier takes several values.
     *
     * @param name of a qualifier, as in {@link #qualifiers}
     * @return whether it takes several values and can exclude
     */
    public static boolean isChoice(String name) {
        return CHOICES.contains(name);
    }

    /**
     * Adds values to a choice.
     *
     * @param values the values to add
     * @return a copy
     */
    private static <T> Choice<T> with(Choice<T> choice, List<T> values, boolean excludes) {
        if (excludes) {
            return choice.without(values);
        }
        Set<T> any = new LinkedHashSet<>(choice.any());
        any.addAll(values);
        return new Choice<>(any, choice.none());
    }

    private static JobFilter with(JobFilter filter, Word word, Instant now) {
        return switch (word.name) {
            case "state" -> filter.states(with(filter.states(), states(word), word.excludes));
            case "queue" -> filter.queues(with(filter.queues(), word.values(), word.excludes));
            case "kind" -> filter.kinds(with(filter.kinds(), word.values(), word.excludes));
            case "tag" -> filter.tag(word.value);
            case "key" -> filter.key(word.value);
            case "uniqueKey" -> filter.uniqueKey(word.value);
            case "text" -> filter.text(word.value);
            case "from" -> filter.createdFrom(moment(word, now));
            default -> filter.createdBefore(moment(word, now));
        };
    }

    private static boolean isGiven(JobFilter filter, String name) {
        Map<String, @Nullable String> values = values(filter);
        return values.get(name) != null || values.get("-" + name) != null;
    }

    private static void requireFree(boolean isGiven, Word word) {
        if (isGiven) {
            throw new IllegalArgumentException(
                    "'" + word.typed + "' is given in the filter and separately: give it once");
        }
    }

    private static List<JobState> states(Word word) {
        return word.values().stream().map(value -> state(word, value)).toList();
    }

    private static JobState state(Word word, String value) {
        try {
            return JobState.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + echo(value) + "' after '" + word.typed + "' at character " + word.at
                            + " is not a state: use available, blocked, pending, paused, running, completed, cancelled or"
                            + " discarded");
        }
    }

    private static Instant moment(Word word, Instant now) {
        Matcher ago = AGO.matcher(word.value);
        try {
            if (ago.matches()) {
                long number = Long.parseLong(ago.group(1));
                return now.minus(
                        switch (ago.group(2)) {
                            case "s" -> Duration.ofSeconds(number);
                            case "m" -> Duration.ofMinutes(number);
                            case "h" -> Duration.ofHours(number);
                            default -> Duration.ofDays(number);
                        });
            }
            return word.value.indexOf('T') > 0
                    ? OffsetDateTime.parse(word.value).toInstant()
                    : LocalDate.parse(word.value).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + echo(word.value) + "' after '" + word.typed + "' at character "
                    + word.at + " is not a time: write it like 2030-01-31T08:00:00Z, 2030-01-31, or an age such as"
                    + " 15m, 2h or 7d");
        }
    }

    private @Nullable Word next() {
        skipBlanks();
        if (place == line.length()) {
            return null;
        }
        int start = place;
        int colon = start;
        while (colon < line.length() && !isBlank(line.charAt(colon)) && ":\"".indexOf(line.charAt(colon)) < 0) {
            colon++;
        }
        String typed = line.substring(start, colon);
        if (colon == line.length() || line.charAt(colon) != ':') {
            throw new IllegalArgumentException("'" + echo(line.substring(start, ended(start))) + "' at character "
                    + (start + 1) + " has no qualifier: " + known());
        }
        boolean excludes = typed.startsWith("-");
        String name = qualifier(excludes ? typed.substring(1) : typed);
        if (name == null || (excludes && !CHOICES.contains(name))) {
            throw new IllegalArgumentException("'" + echo(typed) + "' at character " + (start + 1)
                    + (name != null
                            ? " cannot exclude; only state, queue and kind can"
                            : " is not a qualifier: " + known()));
        }
        place = colon + 1;
        boolean isQuoted = place < line.length() && line.charAt(place) == '"';
        String value = isQuoted ? quoted() : bare();
        if (value.isEmpty()) {
            throw new IllegalArgumentException("'" + typed + "' at character " + (start + 1) + " has no value");
        }
        return new Word(name, typed, value, start + 1, excludes);
    }

    private static String known() {
        return "write one of " + String.join(", ", QUALIFIERS)
                + ", a colon and a value, in \"quotes\" if it has blanks";
    }

    private void skipBlanks() {
        while (place < line.length() && isBlank(line.charAt(place))) {
            place++;
        }
    }

    private int ended(int start) {
        int end = start;
        while (end < line.length() && !isBlank(line.charAt(end))) {
            end++;
        }
        return end;
    }

    private String bare() {
        int start = place;
        place = ended(start);
        return line.substring(start, place);
    }

    private String quoted() {
        int start = place++;
        StringBuilder value = new StringBuilder();
        while (place < line.length() && line.charAt(place) != '"') {
            if (line.charAt(place) == '\\' && place + 1 < line.length()) {
                place++;
            }
            value.append(line.charAt(place++));
        }
        if (place == line.length()) {
            throw new IllegalArgumentException("the quote at character " + (start + 1) + " is not closed");
        }
        place++;
        if (place < line.length() && !isBlank(line.charAt(place))) {
            throw new IllegalArgumentException("there must be a blank after the quote at character " + place
                    + "; a quote within quotes is written \\\"");
        }
        return value.toString();
    }

    private static boolean isBlank(char letter) {
        return Character.isWhitespace(letter) || Character.isSpaceChar(letter);
    }

    /** {@return user input as part of a message} */
    private static String echo(String text) {
        String plain = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
        return plain.length() > LONGEST_ECHO ? plain.substring(0, LONGEST_ECHO) + "…" : plain;
    }

    /**
     * Formats a filter.
     *
     * @param filter the filter
     * @return a line that {@link #parse} turns into the same filter, except for the id and the page, which have no qualifiers
     */
    public static String of(JobFilter filter) {
        StringBuilder all = new StringBuilder();
        values(filter).forEach((name, value) -> {
            if (value != null) {
                all.append(all.isEmpty() ? "" : " ").append(word(name, value));
            }
        });
        return all.toString();
    }

    /** {@return the conditions of a filter by qualifier} */
    private static Map<String, @Nullable String> values(JobFilter filter) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        put(values, "state", filter.states(), state -> state.name().toLowerCase(Locale.ROOT));
        put(values, "queue", filter.queues(), Function.identity());
        put(values, "kind", filter.kinds(), Function.identity());
        values.put("tag", filter.tag());
        values.put("key", filter.key());
        values.put("uniqueKey", filter.uniqueKey());
        values.put("text", filter.text());
        values.put("from", text(filter.createdFrom()));
        values.put("until", text(filter.createdBefore()));
        return values;
    }

    private static <T> void put(
            Map<String, @Nullable String> values, String name, Choice<T> choice, Function<T, String> word) {
        values.put(name, list(choice.any(), word));
        values.put("-" + name, list(choice.none(), word));
    }

    private static <T> @Nullable String list(Set<T> values, Function<T, String> word) {
        return values.isEmpty() ? null : values.stream().map(word).collect(Collectors.joining(","));
    }

    private static @Nullable String text(@Nullable Instant moment) {
        return moment == null ? null : moment.toString();
    }

    /**
     * Formats one word of a line.
     *
     * @param name of a qualifier
     * @param value not empty
     * @return the word, with quotes if necessary
     */
    public static String word(String name, String value) {
        boolean isPlain = !value.startsWith("\"") && value.chars().noneMatch(letter -> isBlank((char) letter));
        return name + ":"
                + (isPlain ? value : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
    }

    /**
     * Returns where the last word begins, even of an incomplete line. For completion while a user types.
     *
     * @param line of any length
     * @return the index of the last word's first character; the length of the line if it is empty or ends with a blank
     */
    public static int lastWord(String line) {
        int start = 0;
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (isQuoted && letter == '\\') {
                i++;
            } else if (letter == '"' && (isQuoted || (i > start && line.charAt(i - 1) == ':'))) {
                isQuoted = !isQuoted;
            } else if (!isQuoted && isBlank(letter)) {
                start = i + 1;
            }
        }
        return start;
    }
}
