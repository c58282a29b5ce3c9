package dev.pawl.dashboard;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.internal.store.RunTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Takes pictures of all pages for the manual, on a desktop and a phone, light and dark. Not part of the suite, which
 * only runs classes named as tests:
 * {@code mvn test -pl dashboard -am -Dtest=Screenshots -Dsurefire.failIfNoSpecifiedTests=false}.
 * {@code -Dscreenshots=FOLDER} sets the target folder, and {@code -Dscreenshots.format=png} yields larger files.
 */
class Screenshots {
    private static final int DESKTOP = 1200;
    private static final int PHONE = 390;
    private static final int MOST_HEIGHT = 1400;

    @Test
    void allPages() throws Exception {
        Path folder = Path.of(System.getProperty("screenshots", "../docs/images/dashboard"));
        String format = System.getProperty("screenshots.format", "webp");
        try (Site site = Site.onSqlite(options -> options.samples(false));
                Sample sample = new Sample(site.queue());
                Browser browser = new Browser(Browser.program().orElseThrow(), DESKTOP, 900)) {
            recentSeries(site);
            var unused = site.queue().admin().runs().requestStackTrace(sample.running);
            org.awaitility.Awaitility.await()
                    .atMost(Site.SOON)
                    .until(() -> site.queue()
                                    .admin()
                                    .runs()
                                    .stackTrace(sample.running)
                                    .orElseThrow()
                                    .stack()
                            != null);
            for (String page : BrowserOnDatabases.pages(sample)) {
                manager(site, sample);
                take(browser, site, page, folder.resolve(name(page, sample) + "-"), format);
            }
        }
    }

    private static void take(Browser browser, Site site, String page, Path beginning, String format)
            throws IOException {
        String ready = site.get(page).body(); // waits for counts in the background
        if (ready.isEmpty()) {
            throw new IOException(page + " is empty");
        }
        for (int width : new int[] {DESKTOP, PHONE}) {
            for (String scheme : List.of("light", "dark")) {
                browser.show(width, width == PHONE ? 780 : 700, scheme);
                browser.open(site.url() + page);
                String file = beginning + (width == PHONE ? "phone" : "desktop") + "-" + scheme + "." + format;
                browser.screenshot(Path.of(file), MOST_HEIGHT);
            }
        }
    }

    private static String name(String page, Sample sample) {
        if (page.equals("/")) {
            return "overview";
        }
        String name = page.replaceAll("\\?.*", "").substring(1).replace('/', '-');
        return name.replace("jobs-" + sample.discarded, "job-failed")
                .replace("jobs-" + sample.order, "job-steps")
                .replace("jobs-" + sample.running, "job-running")
                .replaceAll("batches-[0-9]+", "batch")
                .replaceAll("workflows-[0-9]+", "workflow");
    }

    /** The lower bound of a bucket of run times, in microseconds: mail is slower at times. */
    private static long from(int minute, int bucket) {
        return RunTimes.from(22 + (minute / 9 + minute / 4) % 2 + bucket) / 1000 + 1;
    }

    /** Samples of the last hour, in the samples' format. */
    static void recentSeries(Site site) throws SQLException {
        for (int minute = 59; minute > 0; minute--) {
            int waiting = 40 + (int) (30 * Math.sin(minute / 6.0)) + minute % 7;
            int done = 500 + (int) (200 * Math.sin(minute / 6.0 + 1)) + 13 * (minute % 5);
            int failed = minute % 19 == 0 ? 40 : 0;
            site.execute("INSERT INTO pawl_sample (resolution, taken_at, span, stats) VALUES (0,"
                    + " CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 - " + minute + " * 60000000, 60000000, '"
                    + """
                    {"queues":{"mail":{"available":%d,"delayed":1,"retrying":1,"running":4,"oldest_ms":%d,"completed":%d,
                    "discarded":%d},"default":{"available":%d,"running":3,"oldest_ms":700,"completed":%d}},
                    "runs":{"mail.send":{"%d":4,"%d":52,"%d":360,"%d":108,"%d":%d},"check":{"8389":46,"12583":8}}}')""".formatted(
                                    waiting,
                                    90 * waiting,
                                    done,
                                    failed,
                                    waiting / 2,
                                    done / 3,
                                    from(minute, 0),
                                    from(minute, 1),
                                    from(minute, 2),
                                    from(minute, 3),
                                    from(minute, 4),
                                    1 + minute % 9));
        }
    }

    private static void manager(Site site, Sample sample) throws SQLException {
        RemoteWorkerStatus well = new RemoteWorkerStatus("http://worker-1:8081", null, 10, 3, java.util.Set.of());
        String now = "CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000";
        site.execute("DELETE FROM pawl_remote_worker");
        site.execute(
                "INSERT INTO pawl_remote_worker (manager_id, url, problem, capacity, running, kinds, checked_at) VALUES ("
                        + sample.workerId() + ", '" + well.url() + "', NULL, 10, 3, '[\"mail.send\"]', " + now + "), ("
                        + sample.workerId()
                        + ", 'http://worker-2:8081', 'it has another secret: start it with that of its manager', 0, 0, '[]', "
                        + now + ")");
    }
}
