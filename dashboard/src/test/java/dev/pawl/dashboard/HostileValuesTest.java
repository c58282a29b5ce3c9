package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Values at and beyond the limits of each field of each path are refused or accepted; nothing breaks. */
class HostileValuesTest {
    private static final Map<String, String> WELL = Map.ofEntries(
            Map.entry("kind", "sent"),
            Map.entry("queue", "mail"),
            Map.entry("change", "cancel"),
            Map.entry("of", "queue"),
            Map.entry("name", "mail"),
            Map.entry("atOnce", "1"),
            Map.entry("for", "PT1M"),
            Map.entry("schedule", "nightly"),
            Map.entry("recurrence", "every PT5M"),
            Map.entry("series", "codes"),
            Map.entry("value", "1"),
            Map.entry("group", "00000000"));

    private static final List<String> NAMES = List.of("queue", "kind", "name", "series", "schedule", "group", "step");
    private static final List<String> TEXTS = List.of("x".repeat(5_000), "\uD83D\uDE00".repeat(80), "\n", "a/../b");
    private static final List<String> NUMBERS = List.of("-1", "0", "2147483647", "-2147483648", "9223372036854775807");
    private static final List<String> MOMENTS = List.of(
            "+1000000000-12-31T23:59:59.999999999Z",
            "-1000000000-01-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "+294277-01-01T00:00:00Z");
    private static final List<String> LENGTHS = List.of(
            "PT2562047788015215H30M7S",
            "-PT2562047788015215H30M8S",
            "PT0S",
            "PT-1S",
            "PT0.000000001S",
            "P106751991167300D");
    private static final List<String> RECURRENCES = List.of(
            "every PT2562047788015215H30M7S",
            "every PT0.000000001S",
            "0 0 30 2 *",
            "* * * * * in Nowhere",
            "PT2562047788015215H30M7S after its end",
            "99999999999999999999 * * * *");
    private static final String DEEP = "[".repeat(100_000);

    private static Map<String, List<String>> tries() {
        Map<String, List<String>> tries = new TreeMap<>();
        NAMES.forEach(name -> tries.put(name, TEXTS));
        for (String name :
                List.of("tag", "tags", "key", "uniqueKey", "text", "reason", "toQueue", "back", "uniqueWhile")) {
            tries.put(name, TEXTS);
        }
        for (String name : List.of(
                "priority",
                "maxAttempts",
                "atOnce",
                "together",
                "maxWaiting",
                "starts",
                "toPriority",
                "expected",
                "atLeast",
                "limit",
                "before",
                "after",
                "copy",
                "concurrency",
                "id")) {
            tries.put(name, NUMBERS);
        }
        for (String name : List.of("availableAt", "from", "until", "toTime")) {
            tries.put(name, MOMENTS);
        }
        for (String name : List.of("for", "per", "delay")) {
            tries.put(name, LENGTHS);
        }
        tries.put("ids", List.of("1,1,1", "1,x", "-1", "9223372036854775808", ",".repeat(5_000)));
        tries.put("recurrence", RECURRENCES);
        tries.put("payload", List.of(DEEP, "\"\\uD800\"", "1e999999999"));
        tries.put("value", List.of(DEEP, "\"\\uD800\"", "x".repeat(5_000)));
        return tries;
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> fields = new TreeMap<>(WELL);
        switch (name) {
            case "toPriority" -> fields.put("change", "prioritize");
            case "toQueue" -> fields.put("change", "move");
            case "toTime" -> fields.put("change", "reschedule");
            case "per" -> fields.put("starts", "1");
            case "together" -> fields.put("of", "keys");
            default -> {}
        }
        fields.put(name, value);
        return fields;
    }

    /** {@return the description of each method and path of the API, which names its parameters} */
    private static Map<String, String> described(String description) {
        Map<String, String> all = new TreeMap<>();
        String path = "";
        String route = "";
        for (String line : description.lines().toList()) {
            if (line.matches("  /.*:")) {
                path = line.strip().replace(":", "");
            } else if (line.matches("    (get|post):")) {
                route = line.strip().replace(":", "").toUpperCase(Locale.ROOT) + " " + path;
            } else if (!route.isEmpty()) {
                all.merge(route, line.strip() + "\n", String::concat);
            }
        }
        return all;
    }

    private static int status(Site site, String route, String name, String value) {
        // Paths that delete a job use the second one, so that the first one remains for the others.
        String id = route.endsWith("/erase") || route.endsWith("/delete") ? "2" : "1";
        String path = route.replaceFirst("[A-Z]+ ", "").replace("{id}", id);
        String form = Site.form(with(name, value));
        return route.startsWith("GET ")
                ? site.send("GET", path + "?" + form, "").statusCode()
                : site.send(
                                "POST",
                                path,
                                form,
                                "Pawl-Request",
                                "1",
                                "Content-Type",
                                "application/x-www-form-urlencoded")
                        .statusCode();
    }

    @Test
    void nothingBreaks() {
        try (Site site = Site.onSqlite(options -> options)) {
            for (int i = 0; i < 2; i++) {
                site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue("mail")));
            }
            List<String> broken = new ArrayList<>();
            int tried = 0;
            for (Map.Entry<String, String> route :
                    described(site.get("/api/openapi.yaml").body()).entrySet()) {
                for (Map.Entry<String, List<String>> field : tries().entrySet()) {
                    if (!route.getValue().contains("name: " + field.getKey() + "\n")) {
                        continue;
                    }
                    for (String value : field.getValue()) {
                        tried++;
                        int status = status(site, route.getKey(), field.getKey(), value);
                        if (status >= 500) {
                            String brief = value.substring(0, Math.min(40, value.length()));
                            broken.add(status + " " + route.getKey() + " " + field.getKey() + "=" + brief);
                        }
                    }
                }
            }
            assertThat(broken).isEmpty();
            assertThat(tried).isGreaterThan(300);
            // Accepted values can be displayed.
            for (String page :
                    List.of("/", "/queues", "/jobs", "/jobs/1", "/schedules", "/limits", "/slots", "/database")) {
                assertThat(site.get(page).statusCode()).as(page).isEqualTo(200);
            }
            for (String moment : MOMENTS) {
                assertThat(site.get("/jobs?" + Site.form(Map.of("from", moment)))
                                .statusCode())
                        .as(moment)
                        .isIn(200, 400);
            }
        }
    }
}
