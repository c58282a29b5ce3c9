package dev.pawl.servers.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A class data archive (CDS) that child JVMs share. A suite starts hundreds of children, which run for seconds and mostly load the same
 * classes. The first child lists its loaded classes. Once enough children have started to justify the cost, an archive is made from the
 * list, and later children use it. Without an archive, children start as usual. Thread-safe.
 */
final class ClassArchive {
    private static final int WORTH_IT = 8;
    private static final long TIMEOUT_SECONDS = 60;

    private final List<String> jvm;
    private final String classPath;
    private final Path list;
    private final Path archive;
    private int starts;

    /**
     * @param jvm the program java and the options of all children
     * @param classPath of the children; its folders are packed, because only classes from jars can be shared
     * @throws IOException if no temporary file can be written
     */
    ClassArchive(List<String> jvm, String classPath) throws IOException {
        this.jvm = List.copyOf(jvm);
        Path folder = Files.createTempDirectory("pawl-classes-");
        folder.toFile().deleteOnExit();
        list = temporary(folder, "classes");
        archive = temporary(folder, "classes.jsa");
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            entries.add(Files.isDirectory(path) ? pack(path, temporary(folder, entries.size() + ".jar")) : entry);
        }
        this.classPath = String.join(File.pathSeparator, entries);
    }

    private static Path temporary(Path folder, String name) {
        Path file = folder.resolve(name);
        file.toFile().deleteOnExit();
        return file;
    }

    private static String pack(Path folder, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> tree = Files.walk(folder)) {
            for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
                packed.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                Files.copy(file, packed);
                packed.closeEntry();
            }
        }
        return jar.toString();
    }

    /** {@return the class path, with jars only} */
    String classPath() {
        return classPath;
    }

    /** {@return options of the next child} */
    synchronized List<String> options() throws IOException {
        starts++;
        if (starts == 1) {
            return List.of("-XX:DumpLoadedClassList=" + list);
        }
        if (starts == WORTH_IT) {
            make();
        }
        return Files.exists(archive)
                ? List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
                : List.of();
    }

    /** Makes the archive from the list, without the list's last line if that is cut off, because the first child may have been killed. */
    private void make() throws IOException {
        if (!Files.exists(list)) {
            return;
        }
        String all = Files.readString(list);
        Files.writeString(list, all.substring(0, all.lastIndexOf('\n') + 1));
        List<String> command = new ArrayList<>(jvm);
        command.addAll(List.of(
                "-Xshare:dump",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + archive,
                "-cp",
                classPath));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                Files.deleteIfExists(archive);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Files.deleteIfExists(archive);
            Thread.currentThread().interrupt();
        }
    }
}
