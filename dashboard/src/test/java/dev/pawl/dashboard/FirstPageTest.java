package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The first page and its files, as a browser loads them. */
class FirstPageTest {
    private static final Pattern LOADED = Pattern.compile("(?:src|<link[^>]* href)=\"([^\"]+)\"");
    private static final int MAX = 100_000;

    @Test
    void theFirstPageIsSmallAndSelfContained() throws Exception {
        try (Site site = Site.onSqlite(options -> options.samples(false));
                Sample sample = new Sample(site.queue())) {
            Story.recentSeries(site);
            HttpResponse<String> page = site.get("/");
            assertThat(page.body()).contains("class=\"curve run\"", "Run time", "In the last 24 hours");
            int bytes = page.body().getBytes(StandardCharsets.UTF_8).length;
            Set<String> files = new LinkedHashSet<>();
            Matcher loaded = LOADED.matcher(page.body());
            while (loaded.find()) {
                files.add(loaded.group(1));
            }
            assertThat(files).hasSize(6).allMatch(file -> file.startsWith("/assets/"));
            for (String file : files) {
                bytes += site.get(file).body().getBytes(StandardCharsets.UTF_8).length;
            }
            assertThat(bytes).isLessThan(MAX);
            assertThat(sample.waiting).isPositive();
        }
    }
}
