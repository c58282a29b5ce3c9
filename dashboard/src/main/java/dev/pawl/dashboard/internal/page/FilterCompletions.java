package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.dashboard.internal.snapshot.Filters;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Completions of a filter line being typed. Each one is the whole line, because a browser copies it into the field
 * unchanged and offers only those that contain the typed text.
 */
final class FilterCompletions {
    private static final int MAX = 30;
    private static final List<String> AGO = List.of("15m", "1h", "24h", "7d");

    private FilterCompletions() {}

    /**
     * @param line the text typed so far
     * @param suggestions names to suggest
     * @param isSearchable whether payloads may be searched
     * @return the completions, at most thirty
     */
    static List<String> of(String line, JobPages.Suggestions suggestions, boolean isSearchable) {
        if (line.length() > FilterText.LONGEST) {
            return List.of();
        }
        int start = FilterText.lastWord(line);
        String before = line.substring(0, start);
        String last = line.substring(start);
        String lower = last.toLowerCase(Locale.ROOT);
        return words(before, last, suggestions, isSearchable)
                .filter(word -> word.toLowerCase(Locale.ROOT).startsWith(lower) && word.length() > last.length())
                .limit(MAX)
                .map(word -> before + word)
                .toList();
    }

    private static Stream<String> words(
            String before, String last, JobPages.Suggestions suggestions, boolean isSearchable) {
        int colon = last.indexOf(':');
        if (colon >= 0) {
            String typed = last.substring(0, colon).toLowerCase(Locale.ROOT);
            String name = FilterText.qualifier(typed.startsWith("-") ? typed.substring(1) : typed);
            boolean isChoice = name != null && FilterText.isChoice(name);
            if (name == null || (typed.startsWith("-") && !isChoice)) {
                return Stream.of();
            }
            // A comma begins another value. Earlier values keep their capital letters, which matter in names.
            String earlier = isChoice ? last.substring(colon + 1, Math.max(colon, last.lastIndexOf(',')) + 1) : "";
            Set<String> chosen = Set.copyOf(List.of(earlier.split(",", -1)));
            return values(name, suggestions).stream()
                    .filter(value -> !chosen.contains(value))
                    .map(value -> FilterText.word(typed, earlier + value));
        }
        if (last.startsWith("-")) {
            return FilterText.qualifiers().stream().filter(FilterText::isChoice).map(name -> "-" + name + ":");
        }
        Set<String> used = used(before);
        return FilterText.qualifiers().stream()
                .filter(name -> !used.contains(name) && (isSearchable || !name.equals("text")))
                .map(name -> name + ":");
    }

    private static Set<String> used(String before) {
        try {
            return Filters.parameters(FilterText.parse(before, JobFilter.ALL, Instant.now()))
                    .keySet();
        } catch (IllegalArgumentException e) {
            return Set.of(); // not valid yet
        }
    }

    private static Collection<String> values(String name, JobPages.Suggestions suggestions) {
        return switch (name) {
            case "state" -> Stream.of(JobState.values()).map(Formats::word).toList();
            case "queue" -> suggestions.queues();
            case "kind" -> suggestions.kinds();
            case "tag" -> suggestions.tags();
            case "key" -> suggestions.keys();
            case "from", "until" -> AGO;
            default -> List.of();
        };
    }
}
