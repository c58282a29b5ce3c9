package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.alert.AlertListener;
import dev.pawl.dashboard.alert.AlertRule;
import dev.pawl.dashboard.alert.Alerts;
import dev.pawl.dashboard.alert.AlertsBuilder;
import dev.pawl.dashboard.alert.QuietTime;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The rules of alerts, and their receiver. */
final class AlertOptions {
    @Option(
            names = "--alert",
            paramLabel = "RULE",
            description =
                    "What to report; may be repeated: oldest=PT10M (a job has waited this long), failing=20%% and"
                            + " discarded=5 (failed for good in"
                            + " ten minutes), stalled, overdue (a schedule), no-worker; for one queue, such as oldest:mail=PT10M.")
    private List<String> rules = new ArrayList<>();

    @Option(
            names = "--webhook",
            paramLabel = "URL",
            description = "Where each alert is posted as JSON, when it starts and when it is resolved. Retried until"
                    + " the answer is 2xx or the fault is over; its end is retried for a day.")
    private @Nullable String webhook;

    @Option(
            names = "--webhook-secret-file",
            paramLabel = "FILE",
            description =
                    "File with a secret of 16 characters or more, from which the header Pawl-Signature is made. Also PAWL_WEBHOOK_SECRET."
                            + " Default: none")
    private @Nullable Path secretFile;

    @Option(
            names = "--quiet",
            paramLabel = "FROM-UNTIL",
            description =
                    "Hours of each day in which nothing is reported, such as 22:00-07:00; may be repeated. Default: none")
    private List<String> quiet = new ArrayList<>();

    @Option(
            names = "--quiet-zone",
            paramLabel = "ZONE",
            description = "The time zone of --quiet, such as Europe/Berlin. Default: that of this machine")
    private @Nullable String zone;

    /**
     * {@return whether there is a rule}
     *
     * @throws UsageException if there is none although a receiver is given
     */
    boolean areGiven() {
        if (rules.isEmpty() && (webhook != null || secretFile != null || zone != null || !quiet.isEmpty())) {
            throw new UsageException("no alert rule: add --alert, such as --alert oldest=PT10M");
        }
        return !rules.isEmpty();
    }

    /**
     * Starts watching.
     *
     * @param otherwise receives the alerts if there is no webhook; null requires a webhook
     */
    Alerts start(JobQueue queue, @Nullable AlertListener otherwise) {
        AlertsBuilder builder = Alerts.on(queue);
        rules.forEach(rule -> builder.rule(AlertRule.parse(rule)));
        ZoneId where = zone();
        quiet.forEach(time -> builder.quiet(QuietTime.parse(time, where)));
        String address = webhook;
        if (address != null) {
            builder.webhook(uri(address), DashboardCommand.token(secretFile, "PAWL_WEBHOOK_SECRET"));
        } else if (otherwise != null) {
            builder.listener(otherwise);
        } else {
            throw new UsageException("--alert needs a receiver: add --webhook URL");
        }
        return builder.start();
    }

    private ZoneId zone() {
        try {
            return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new UsageException("--quiet-zone '" + Texts.cut(String.valueOf(zone))
                    + "' is not a time zone: use one such as Europe/Berlin");
        }
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new UsageException("--webhook is not an address: write it like https://host/path");
        }
    }
}
