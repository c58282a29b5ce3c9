package dev.pawl.cli;

import dev.pawl.cli.example.Example;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "example",
        mixinStandardHelpOptions = true,
        description = {
            "Small complete programs. Without a name: list them. With a name: run it, in a database of its own that is",
            "deleted afterwards, unless --db names another."
        })
final class ExampleCommand extends CliCommand {
    private static final int CONNECTIONS = 25;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The program's name.")
    private @Nullable String name;

    @Option(names = "--source", description = "Show the program instead of running it.")
    private boolean source;

    @Mixin
    private CreateOption create = new CreateOption();

    @Override
    boolean needsDatabase() {
        return false; // it creates a database, unless --db names one
    }

    @Override
    public Integer call() throws Exception {
        create.applyTo(database());
        String chosen = name;
        if (chosen == null) {
            output().rows(
                            out(),
                            Example.all(),
                            List.of(
                                    Output.Column.name("EXAMPLE", Example::name),
                                    Output.Column.words("SHOWS", Example::shows)),
                            example -> JsonForm.object("name", example.name(), "shows", example.shows()),
                            "no examples");
            if (!output().isJson()) {
                out().println("\nRun one: pawl example NAME. Read it: pawl example NAME --source");
            }
            return 0;
        }
        Example example = Example.all().stream()
                .filter(one -> one.name().equals(chosen))
                .findAny()
                .orElseThrow(() ->
                        new UsageException("there is no example " + Texts.cut(chosen) + ": 'pawl example' lists them"));
        if (output().isJson()) {
            throw new UsageException("--json is only for the list of examples");
        }
        if (source) {
            out().print(source(example));
            return 0;
        }
        run(example);
        return 0;
    }

    private void run(Example example) throws Exception {
        if (database().isGiven()) {
            try (DatabaseOptions.Session session = database().open(CONNECTIONS)) {
                example.run(session.queue(), out());
            }
            return;
        }
        Path folder = Files.createTempDirectory("pawl-example");
        try (DatabaseOptions.Session session = database().openFile(folder.resolve("example.db"), CONNECTIONS)) {
            example.run(session.queue(), out());
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            files.forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        Files.delete(folder);
    }

    /** Reads the source file, which the build copies beside the class. */
    private static String source(Example example) throws IOException {
        String file = example.getClass().getSimpleName() + ".java";
        try (InputStream in = example.getClass().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
