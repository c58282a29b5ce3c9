package dev.pawl.api;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Parses the text form of a strategy. */
final class StrategyText {
    private static final String NAMES =
            "auto, lanes, rows, skip-locked, immediate, transactional, optimistic:window=…,pick=…, pessimistic:delete-retry=…,delete-mark=…";

    private final String text;
    private final Map<String, String> options = new LinkedHashMap<>();

    private StrategyText(String text) {
        this.text = text;
    }

    static Strategy parse(String text) {
        return new StrategyText(text).read();
    }

    private Strategy read() {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        if (colon >= 0) {
            for (String option : text.substring(colon + 1).split(",", -1)) {
                int equals = option.indexOf('=');
                if (equals < 1 || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
                    throw wrong("'" + option + "' is not an option=value, or is given twice");
                }
            }
        }
        Strategy strategy = switch (name) {
            case "auto" -> Strategy.AUTO;
            case "lanes" -> Strategy.LANES;
            case "rows" -> Strategy.ROWS;
            case "skip-locked" -> Strategy.SKIP_LOCKED;
            case "immediate" -> Strategy.IMMEDIATE;
            case "transactional" -> Strategy.TRANSACTIONAL;
            case "optimistic" -> new Strategy.Optimistic(window(), pick());
            case "pessimistic" -> new Strategy.Pessimistic(deleteRetry(), deleteMark());
            default -> throw wrong("there is no strategy '" + name + "'");
        };
        if (!options.isEmpty()) {
            throw wrong("there is no option '" + options.keySet().iterator().next() + "' here");
        }
        return strategy;
    }

    private int window() {
        String window = take("window", "workers");
        if (window.equals("workers")) {
            return Strategy.Optimistic.FOLLOW_WORKERS;
        }
        int jobs = number("window", window);
        if (jobs < 1) {
            throw wrong("window '" + window + "' is less than 1; window=workers follows the live workers");
        }
        return jobs;
    }

    private Strategy.Pick pick() {
        String pick = take("pick", "uniform");
        for (Strategy.Pick known : Strategy.Pick.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(pick)) {
                return known;
            }
        }
        throw wrong("pick '" + pick + "' is none of first, uniform, exponential");
    }

    private int deleteRetry() {
        return number("delete-retry", take("delete-retry", "5"));
    }

    private boolean deleteMark() {
        String mark = take("delete-mark", "no");
        return switch (mark) {
            case "yes", "true" -> true;
            case "no", "false" -> false;
            default -> throw wrong("delete-mark '" + mark + "' is neither yes nor no");
        };
    }

    private String take(String option, String fallback) {
        String value = options.remove(option);
        return value == null ? fallback : value;
    }

    private int number(String option, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw wrong(option + " '" + value + "' is not a number");
        }
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(
                "the strategy '" + text + "' is not valid: " + why + "; write one of " + NAMES);
    }
}
