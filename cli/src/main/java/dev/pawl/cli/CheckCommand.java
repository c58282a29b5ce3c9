package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;
import static dev.pawl.cli.Output.Column.words;

import dev.pawl.HandlerSet;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.PayloadCheck;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Read the payloads of all waiting and running jobs with the code of another release, before it is deployed. Those that",
            "schedules and callbacks of batches will enqueue are read, too. Nothing is run and nothing is changed.",
            "",
            "  pawl check --classpath 'new/app.jar:new/lib/*' --handlers com.acme.Jobs",
            "",
            "Each class implements dev.pawl.HandlerSet and has a public constructor without parameters. Pawl and its",
            "JSON library come from this program, not from the release. For a check in the application's own tests, see",
            "docs/guides/changing-payloads.md.",
            "",
            "Exit codes: 0 all can be read; 1 failure; 2 usage error; 3 some cannot be read."
        })
final class CheckCommand extends CliCommand {
    /** Exit code: the check was made, and the release must not be deployed. */
    private static final int NOT_FIT = 3;

    @Option(
            names = "--classpath",
            paramLabel = "PATH",
            required = true,
            description = "Jars and folders of the release, separated as for java; LIB/* for all jars of a folder.")
    private String classpath = "";

    @Option(
            names = "--handlers",
            paramLabel = "CLASS",
            required = true,
            split = ",",
            description = "The classes that add the handlers; may be repeated.")
    private Set<String> handlers = new LinkedHashSet<>();

    @Option(
            names = "--require-handlers",
            description = "Exit with code 3, too, if there are payloads whose kinds have no handler.")
    private boolean requireHandlers;

    @Override
    public Integer call() {
        try (ReleaseClasses release = new ReleaseClasses(classpath)) {
            List<HandlerSet> sets = handlers.stream().map(release::handlerSet).toList();
            try (DatabaseOptions.Session session = database()
                    .openExisting(2, builder -> sets.forEach(set -> guarded(set, () -> set.configure(builder))))) {
                PayloadCheck check = check(session.queue(), sets);
                if (output().isJson()) {
                    output().json(out(), asJson(check));
                } else {
                    print(check);
                }
                boolean complete = check.unhandled().isEmpty() || !requireHandlers;
                return check.unreadable() == 0 && complete ? 0 : NOT_FIT;
            }
        }
    }

    private PayloadCheck check(JobQueue queue, List<HandlerSet> sets) {
        WorkerBuilder worker = Worker.on(queue);
        sets.forEach(set -> guarded(set, () -> set.addTo(worker)));
        if (worker.kinds().isEmpty()) {
            throw new UsageException("--handlers: " + String.join(", ", handlers)
                    + " adds no handler, so nothing can be checked: its addTo(worker) must call worker.handle(…)");
        }
        long total = queue.admin().queues().list(Admin.UNLIMITED).stream()
                .mapToLong(CheckCommand::live)
                .sum();
        try (ProgressBar progress = new ProgressBar(err(), "payloads", total, output().isJson())) {
            return worker.checkPayloads(checked -> {
                progress.set(checked);
                progress.show(checked);
            });
        }
    }

    /** Runs code of the release, and reports its exceptions and Pawl's refusals of its arguments as usage errors. */
    private static void guarded(HandlerSet set, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | LinkageError e) {
            throw new UsageException("--handlers: " + set.getClass().getName()
                    + (isRefusal(e)
                            ? ": " + Texts.inShort(String.valueOf(e.getMessage()))
                            : " fails without its program, so it cannot be checked like this: " + e));
        }
    }

    /** {@return whether Pawl has refused an argument, with a message that is clear without the exception's class} */
    private static boolean isRefusal(Throwable error) {
        StackTraceElement[] frames = error.getStackTrace();
        return error instanceof IllegalArgumentException
                && frames.length > 0
                && frames[0].getClassName().startsWith("dev.pawl.");
    }

    private static long live(QueueStats queue) {
        return queue.available() + queue.delayed() + queue.retrying() + queue.running();
    }

    /** A row of the table: a kind, with or without a handler. */
    private record Row(String kind, Long read, Long unreadable, String note) {}

    private void print(PayloadCheck check) {
        List<Row> rows = new ArrayList<>();
        check.kinds().forEach(kind -> rows.add(new Row(kind.kind(), kind.read(), kind.unreadable(), "")));
        check.unhandled().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> rows.add(new Row(
                        each.getKey(),
                        0L,
                        0L,
                        String.format(
                                Locale.ROOT,
                                "%,d left alone: %s",
                                each.getValue(),
                                check.newer().contains(each.getKey()) ? "a newer version" : "no handler"))));
        output().rows(
                        out(),
                        rows,
                        List.of(
                                name("KIND", Row::kind),
                                right("READ", Row::read),
                                right("UNREADABLE", Row::unreadable),
                                words("NOTE", Row::note)),
                        "no jobs wait or run");
        check.examples()
                .forEach(one -> out().println("job " + one.jobId() + " (" + one.kind() + "): "
                        + one.why().lines().findFirst().orElse("")));
        check.toCome()
                .forEach(one -> out().println(one.from() + " (" + one.kind() + "): "
                        + one.why().lines().findFirst().orElse("")));
        if (check.unreadable() > 0) {
            out().println(String.format(
                    Locale.ROOT,
                    "%,d payload(s) cannot be read by this release: their jobs would fail",
                    check.unreadable()));
        }
    }

    private static Map<String, ?> asJson(PayloadCheck check) {
        return JsonForm.object(
                "read",
                check.read(),
                "unreadable",
                check.unreadable(),
                "kinds",
                check.kinds(),
                "unhandled",
                check.unhandled().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> JsonForm.object(
                                "kind",
                                each.getKey(),
                                "jobs",
                                each.getValue(),
                                "newer",
                                check.newer().contains(each.getKey())))
                        .toList(),
                "examples",
                check.examples(),
                "toCome",
                check.toCome());
    }
}
