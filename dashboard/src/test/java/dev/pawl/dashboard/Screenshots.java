package dev.pawl.dashboard;

import dev.pawl.admin.RemoteWorkerStatus;
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
    private static final int MAX_HEIGHT = 1400;

    @Test
    void allPages() throws Exception {
        Path folder = Path.of(System.getProperty("screenshots", "../docs/images/dashboard"));
        String format = System.getProperty("screenshots.format", "webp");
        try (Site site = Site.onSqlite(options -> options.samples(false));
                Story story = new Story(site);
                Sample sample = new Sample(site.queue());
                Browser browser = new Browser(Browser.program().orElseThrow(), DESKTOP, 900)) {
            story.age(site);
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
                insertRemoteWorkers(site, sample);
                take(browser, site, page, folder.resolve(name(page, sample) + "-"), format);
            }
        }
    }

    private static void take(Browser browser, Site site, String page, Path prefix, String format) throws IOException {
        String ready = site.get(page).body(); // waits until the counts in the background are known
        if (ready.isEmpty()) {
            throw new IOException(page + " is empty");
        }
        for (int width : new int[] {DESKTOP, PHONE}) {
            for (String scheme : List.of("light", "dark")) {
                browser.show(width, width == PHONE ? 780 : 700, scheme);
                browser.open(site.url() + page);
                String file = prefix + (width == PHONE ? "phone" : "desktop") + "-" + scheme + "." + format;
                browser.screenshot(Path.of(file), MAX_HEIGHT);
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

    private static void insertRemoteWorkers(Site site, Sample sample) throws SQLException {
        RemoteWorkerStatus one = new RemoteWorkerStatus("http://worker-1:8081", null, 10, 3, java.util.Set.of());
        String now = "CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000";
        site.execute("DELETE FROM pawl_remote_worker");
        site.execute(
                "INSERT INTO pawl_remote_worker (manager_id, url, problem, capacity, running, kinds, checked_at) VALUES ("
                        + sample.workerId() + ", '" + one.url() + "', NULL, 10, 3, '[\"mail.send\"]', " + now + "), ("
                        + sample.workerId()
                        + ", 'http://worker-2:8081', 'it has another secret: start it with that of its manager', 0, 0, '[]', "
                        + now + ")");
    }
}
