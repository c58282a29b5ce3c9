package dev.pawl.lab.command;

import dev.pawl.lab.report.Reports;
import dev.pawl.lab.run.LabFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description =
                "Turn result files into a page with tables and charts (HTML, one file, no network needed), and print"
                        + " the tables as text.")
final class ReportCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files that 'pawl lab run' has written, or the same compressed (.json.gz).")
    private List<Path> files = List.of();

    @Option(names = "--out", paramLabel = "FILE", description = "The page. Default: the first file's name with .html")
    private @Nullable Path out;

    @Option(names = "--text-only", description = "Write no page.")
    private boolean textOnly;

    @Option(names = "--performance", description = "Print the few tables of 'pawl lab run --performance'.")
    private boolean performance;

    @Override
    public Integer call() throws IOException {
        List<LabFile> runs = new ArrayList<>();
        for (Path file : files) {
            runs.add(Failures.reported(() -> LabFile.read(file)));
        }
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.println(performance ? Reports.performance(runs) : Reports.text(runs));
        if (!textOnly) {
            Path page = out != null ? out : RunCommand.page(files.get(0));
            Files.writeString(page, Reports.html(runs));
            terminal.println("With pictures: " + page.toAbsolutePath().toUri());
        }
        return 0;
    }
}
