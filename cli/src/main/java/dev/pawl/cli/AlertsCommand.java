package dev.pawl.cli;

import dev.pawl.dashboard.alert.Alert;
import dev.pawl.dashboard.alert.Alerts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "alerts",
        mixinStandardHelpOptions = true,
        description = {
            "Report what is wrong with the queue to a webhook or this terminal, until stopped (Ctrl-C). Each fault is reported once",
            "when it starts and once when it is resolved. If several processes run, only one reports. See",
            "docs/guides/dashboard.md."
        })
final class AlertsCommand extends CliCommand {
    private static final int CONNECTIONS = 2;

    @Mixin
    private AlertOptions alerts = new AlertOptions();

    @Override
    public Integer call() {
        if (!alerts.areGiven()) {
            throw new UsageException("say what to report, such as --alert oldest=PT10M --alert no-worker");
        }
        try (DatabaseOptions.Session session = database().openExisting(CONNECTIONS)) {
            watch(session);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopped by the user
        }
        return 0;
    }

    private void watch(DatabaseOptions.Session session) throws InterruptedException {
        Alerts watching = alerts.start(session.queue(), this::say);
        try {
            CountDownLatch end = new CountDownLatch(1);
            Thread onInterrupt = new Thread(end::countDown, "pawl-stop");
            Runtime.getRuntime().addShutdownHook(onInterrupt);
            end.await();
        } finally {
            watching.close();
        }
    }

    private void say(Alert alert) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", alert.id());
        json.put("event", alert.isOver() ? "resolved" : "started");
        json.put("rule", alert.rule());
        json.put("subject", alert.subject());
        json.put("text", alert.text());
        json.put("since", alert.since());
        report(json, (alert.isOver() ? "resolved: " : "") + TerminalEscapes.line(alert.text()));
        out().flush();
    }
}
