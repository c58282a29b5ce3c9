package dev.pawl.cli;

import dev.pawl.HandlerSet;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The classes of an application's release. Classes of this program (Pawl, Jackson, drivers) take precedence. */
final class ReleaseClasses implements AutoCloseable {
    private final URLClassLoader loader;
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    /** @param classpath in java's syntax */
    ReleaseClasses(String classpath) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classpath.split(File.pathSeparator, -1)) {
            if (!entry.isBlank()) {
                add(entry, urls);
            }
        }
        if (urls.isEmpty()) {
            throw new UsageException("--classpath is empty: name the jars of the release");
        }
        loader = new URLClassLoader(urls.toArray(URL[]::new), ReleaseClasses.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
    }

    private static void add(String entry, List<URL> urls) {
        try {
            if (!entry.endsWith("*")) {
                Path path = Path.of(entry);
                if (!Files.exists(path)) {
                    throw new UsageException("--classpath: there is no " + path);
                }
                urls.add(path.toUri().toURL());
                return;
            }
            Path folder = Path.of(entry.equals("*") ? "." : entry.substring(0, entry.length() - 1));
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
                for (Path jar : jars) {
                    urls.add(jar.toUri().toURL());
                }
            }
        } catch (MalformedURLException e) {
            throw new UsageException("--classpath: " + entry + " is not valid: " + e.getMessage());
        } catch (IOException e) {
            throw new UsageException("--classpath: cannot read " + entry + ": " + e);
        }
    }

    HandlerSet handlerSet(String name) {
        try {
            Object made = Class.forName(name, true, loader).getConstructor().newInstance();
            if (made instanceof HandlerSet set) {
                return set;
            }
            throw new UsageException("--handlers: " + name + " does not implement dev.pawl.HandlerSet");
        } catch (ClassNotFoundException e) {
            throw new UsageException("--handlers: there is no class " + name + " on the --classpath");
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UsageException("--handlers: " + name
                    + " cannot be created: it must be public, have a public constructor without parameters, and find"
                    + " all that it uses on the --classpath (" + cause + ")");
        }
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
        try {
            loader.close();
        } catch (IOException harmless) {
            // the program ends anyway
        }
    }
}
