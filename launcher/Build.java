import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Builds the program that the script {@code pawl} runs, and installs the library for other builds. Runs no tests and no checkers; {@code
 * mvn verify} does.
 *
 * <p>Maven only downloads the libraries, with a user's mirrors and proxies. Each of its plugins needs dozens of files before it does
 * anything, and a first build would spend its time on these files, not on the libraries. So this program compiles the modules itself, as
 * their poms say.
 */
public final class Build {
    private static final String USAGE = "usage: java launcher/Build.java program MODULE | install [ARTIFACT...]";

    /** The plugin that resolves the libraries. It needs four files; other plugins that could do this need 250. */
    private static final String RESOLVER = "org.apache.maven.plugins:maven-antrun-plugin:3.1.0";

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(System.getProperty("pawl.home", ".")).toRealPath();
        List<String> names = Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
        try {
            Path target = Files.createDirectories(home.resolve("target/program"));
            try (FileChannel lock = FileChannel.open(
                            target.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    Progress progress = new Progress()) {
                if (lock.tryLock() == null) {
                    progress.stage("waiting for another build ...");
                    lock.lock(); // until the channel is closed
                }
                Sources sources = new Sources(home);
                Compiled build = new Compiled(sources, new Libraries(sources, target, progress), target, progress);
                if (arguments.length == 2 && arguments[0].equals("program")) {
                    new Program(build, target, progress).make(arguments[1]);
                } else if (arguments.length > 0 && arguments[0].equals("install")) {
                    new Installation(sources, build, target, progress).install(names);
                } else {
                    throw new Failure(USAGE);
                }
            }
        } catch (Failure e) {
            System.err.println("pawl: " + e.getMessage());
            System.exit(1);
        } catch (IOException e) {
            System.err.println("pawl: cannot build: " + e);
            System.exit(1);
        }
    }

    /** An error that the user can remedy: the message says how. */
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    /** Shows progress: on a terminal in one line that changes, elsewhere in a line for each stage and a line every few seconds. */
    private static final class Progress implements AutoCloseable {
        private static final long LINE_NANOS = 5_000_000_000L;
        private static final long REDRAW_NANOS = 100_000_000L;

        private final boolean terminal = Boolean.getBoolean("pawl.terminal");
        private final long started = System.nanoTime();
        private long shown;
        private int drawn;

        synchronized void stage(String text) {
            shown = 0;
            show(text);
        }

        synchronized void show(String text) {
            long now = System.nanoTime();
            if (shown != 0 && now - shown < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
                return;
            }
            shown = now;
            String line = "pawl: " + text;
            if (terminal) {
                System.err.print("\r" + line + " ".repeat(Math.max(0, drawn - line.length())));
                drawn = line.length();
            } else {
                System.err.println(line);
            }
            System.err.flush();
        }

        synchronized void done(String text) {
            close();
            System.err.println("pawl: " + text + " in " + Math.round((System.nanoTime() - started) / 1e9) + " s");
        }

        @Override
        public synchronized void close() {
            if (drawn > 0) {
                System.err.print("\r" + " ".repeat(drawn) + "\r");
                drawn = 0;
            }
        }
    }

    /** An element of a pom. */
    private record Xml(Element element) {
        static Xml read(Path file) throws IOException {
            try {
                var documents = DocumentBuilderFactory.newInstance();
                documents.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
                return new Xml(documents.newDocumentBuilder().parse(file.toFile()).getDocumentElement());
            } catch (javax.xml.parsers.ParserConfigurationException | org.xml.sax.SAXException e) {
                throw new IOException(file + ": " + e.getMessage(), e);
            }
        }

        Stream<Xml> children() {
            Stream.Builder<Xml> found = Stream.builder();
            for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
                if (each instanceof Element child) {
                    found.add(new Xml(child));
                }
            }
            return found.build();
        }

        /** {@return the elements at a path of names} */
        Stream<Xml> all(String path) {
            Stream<Xml> found = Stream.of(this);
            for (String name : path.split("/")) {
                found = found.flatMap(Xml::children).filter(each -> each.element.getTagName().equals(name));
            }
            return found;
        }

        String text(String path, String otherwise) {
            return all(path).map(each -> each.element.getTextContent().strip()).findFirst().orElse(otherwise);
        }
    }

    /** A dependency, as a pom names it. */
    private record Library(String group, String artifact, String version, String classifier, String scope, boolean optional) {
        static Library of(Xml xml) {
            return new Library(
                    xml.text("groupId", ""),
                    xml.text("artifactId", ""),
                    xml.text("version", ""),
                    xml.text("classifier", ""),
                    xml.text("scope", "compile"),
                    xml.text("optional", "").equals("true"));
        }

        boolean isOurs() {
            return group.equals("dev.pawl");
        }

        /**
         * {@return the dependency for the generated pom, with a version in place of a property of the module; an optional one becomes
         * provided}
         */
        Library of(Module module) {
            String known = version.startsWith("${")
                    ? module.pom.text("properties/" + version.substring(2, version.length() - 1), version)
                    : version;
            return new Library(group, artifact, known, classifier, optional ? "provided" : scope, false);
        }

        /** {@return the dependency that covers the needs of two modules} */
        Library with(Library other) {
            // If the scopes differ, such as provided and runtime, the library is needed both to compile and in the
            // program.
            String both = scope.equals(other.scope) ? scope : "compile";
            return new Library(group, artifact, version.isEmpty() ? other.version : version, classifier, both, false);
        }
    }

    /** A module of this checkout. */
    private record Module(Path folder, Xml pom) {
        String artifact() {
            return pom.text("artifactId", "");
        }

        Stream<Library> libraries() {
            return pom.all("dependencies/dependency").map(Library::of).filter(each -> !each.scope.equals("test"));
        }

        Stream<Xml> plugins() {
            return pom.all("build/plugins/plugin");
        }

        /** {@return how its templates become classes, if it has any} */
        Stream<Xml> templates() {
            return plugins().filter(each -> each.text("artifactId", "").equals("jte-maven-plugin"));
        }

        boolean isPublished() {
            return !pom.text("properties/maven.deploy.skip", "").equals("true");
        }

        /** {@return whether compiling its sources is enough to build it} */
        boolean isPlain() {
            Set<String> known = Set.of("jte-maven-plugin", "maven-dependency-plugin");
            return plugins().map(each -> each.text("artifactId", "")).allMatch(known::contains);
        }
    }

    /** The modules of this checkout. */
    private static final class Sources {
        final Path home;
        final Xml pom;
        final Map<String, Module> modules = new LinkedHashMap<>();

        Sources(Path home) throws IOException {
            this.home = home;
            this.pom = Xml.read(home.resolve("pom.xml"));
            for (String modulesOf : List.of("modules/module", "profiles/profile/modules/module")) {
                for (Xml each : pom.all(modulesOf).toList()) {
                    String name = each.element.getTextContent().strip();
                    if (!name.startsWith("examples/")) {
                        Path folder = home.resolve(name);
                        Module module = new Module(folder, Xml.read(folder.resolve("pom.xml")));
                        modules.put(module.artifact(), module);
                    }
                }
            }
        }

        String version() {
            return pom.text("version", "");
        }

        String property(String name) throws Failure {
            String value = pom.text("properties/" + name, "");
            if (value.isEmpty()) {
                throw new Failure("pom.xml has no property " + name);
            }
            return value;
        }

        Module module(String artifact) throws Failure {
            Module module = modules.get(artifact);
            if (module == null) {
                throw new Failure("no module of this checkout is called " + artifact);
            }
            return module;
        }

        /** {@return the named modules and all modules that they need, each after those that it needs} */
        Set<Module> closure(List<String> artifacts) throws Failure {
            Set<Module> found = new LinkedHashSet<>();
            for (String each : artifacts) {
                Module module = module(each);
                found.addAll(closure(module.libraries().filter(Library::isOurs).map(Library::artifact).toList()));
                found.add(module);
            }
            return found;
        }

        /** {@return the time of the last change of a module's sources and poms} */
        FileTime changed(Module module) throws IOException {
            List<Path> files = new ArrayList<>(List.of(home.resolve("pom.xml"), module.folder.resolve("pom.xml")));
            Path main = module.folder.resolve("src/main");
            if (Files.isDirectory(main)) {
                try (Stream<Path> below = Files.walk(main)) {
                    below.forEach(files::add);
                }
            }
            FileTime newest = FileTime.fromMillis(0);
            for (Path each : files) {
                FileTime time = Files.getLastModifiedTime(each);
                newest = time.compareTo(newest) > 0 ? time : newest;
            }
            return newest;
        }
    }

    /** The libraries that modules are compiled with, and those that a program has besides the modules. */
    private record ClassPaths(List<Path> compile, List<Path> run) {}

    /** Lets Maven find, and where needed download, the libraries. */
    private static final class Libraries {
        private static final Pattern DOWNLOADED =
                Pattern.compile("Downloaded from \\S+ (\\S+) \\(([\\d.]+) (B|kB|MB|GB) ");
        private static final Map<String, Double> MEGABYTES = Map.of("B", 1e-6, "kB", 1e-3, "MB", 1.0, "GB", 1e3);

        private final Sources sources;
        private final Path target;
        private final Progress progress;

        Libraries(Sources sources, Path target, Progress progress) {
            this.sources = sources;
            this.target = target;
            this.progress = progress;
        }

        /** {@return the libraries of modules, as found last time if nothing has changed since} */
        ClassPaths of(String name, Set<Module> modules) throws IOException, Failure, InterruptedException {
            Path pom = target.resolve(name + "-libraries.xml");
            Path compile = target.resolve(name + "-compile.txt");
            Path run = target.resolve(name + "-run.txt");
            String wanted = pom(modules, compile, run);
            if (Files.exists(run) && Files.exists(pom) && Files.readString(pom).equals(wanted)) {
                ClassPaths last = new ClassPaths(read(compile), read(run));
                if (Stream.concat(last.compile.stream(), last.run.stream()).allMatch(Files::exists)) {
                    return last;
                }
            }
            Files.deleteIfExists(run);
            Files.writeString(pom, wanted);
            maven("libraries", List.of("-f", pom.toString(), RESOLVER + ":run@paths"));
            return new ClassPaths(read(compile), read(run));
        }

        private static List<Path> read(Path file) throws IOException {
            return Stream.of(Files.readString(file).strip().split(Pattern.quote(File.pathSeparator)))
                    .filter(each -> each.endsWith(".jar"))
                    .map(Path::of)
                    .toList();
        }

        private String pom(Set<Module> modules, Path compile, Path run) throws IOException, Failure {
            Map<String, Library> wanted = new TreeMap<>();
            for (Module module : modules) {
                module.libraries().filter(each -> !each.isOurs()).map(each -> each.of(module)).forEach(each ->
                        wanted.merge(each.group + ":" + each.artifact, each, Library::with));
                module.templates().forEach(each -> wanted.put(
                        "gg.jte:jte", new Library("gg.jte", "jte", each.text("version", ""), "", "provided", false)));
            }
            StringBuilder libraries = new StringBuilder();
            wanted.values().forEach(each -> libraries.append(element(each)));
            return """
                    <project>
                      <!-- Written by launcher/Build.java for the pom %08x. -->
                      <modelVersion>4.0.0</modelVersion>
                      <parent>
                        <groupId>dev.pawl</groupId>
                        <artifactId>pawl-parent</artifactId>
                        <version>%s</version>
                        <relativePath>../../pom.xml</relativePath>
                      </parent>
                      <artifactId>libraries</artifactId>
                      <dependencies>
                    %s  </dependencies>
                      <build>
                        <plugins>
                          <plugin>
                            <groupId>org.apache.maven.plugins</groupId>
                            <artifactId>maven-antrun-plugin</artifactId>
                            <executions>
                              <execution>
                                <id>paths</id>
                                <configuration>
                                  <target>
                                    <pathconvert property="compile" refid="maven.compile.classpath"/>
                                    <pathconvert property="run" refid="maven.runtime.classpath"/>
                                    <echo file="%s" message="${compile}" encoding="UTF-8"/>
                                    <echo file="%s" message="${run}" encoding="UTF-8"/>
                                  </target>
                                </configuration>
                              </execution>
                            </executions>
                          </plugin>
                        </plugins>
                      </build>
                    </project>
                    """
                    .formatted(
                            Files.readString(sources.home.resolve("pom.xml")).hashCode(),
                            sources.version(),
                            libraries,
                            escaped(compile),
                            escaped(run));
        }

        private static String element(Library library) {
            return "    <dependency><groupId>" + library.group + "</groupId><artifactId>" + library.artifact
                    + "</artifactId>"
                    + (library.version.isEmpty() ? "" : "<version>" + library.version + "</version>")
                    + (library.classifier.isEmpty() ? "" : "<classifier>" + library.classifier + "</classifier>")
                    + "<scope>" + library.scope + "</scope></dependency>\n";
        }

        /** Runs Maven. */
        void maven(String what, List<String> arguments) throws IOException, Failure, InterruptedException {
            progress.stage(what + ": asking Maven ...");
            boolean windows = File.separatorChar == '\\';
            List<String> command = new ArrayList<>(List.of(windows ? "mvn.cmd" : "mvn"));
            // -U: otherwise Maven would not retry a download that has just failed, for example because of a broken
            // network.
            command.addAll(List.of("-B", "-U", "-Dstyle.color=never", "-Dmaven.artifact.threads=8"));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(sources.home.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File(windows ? "NUL" : "/dev/null")));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new Failure("there is no Maven to download libraries with: install Maven 3.8 or newer, so that "
                        + "'mvn -v' works, and repeat the command");
            }
            List<String> output = new ArrayList<>();
            double megabytes = 0;
            int files = 0;
            try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    output.add(line);
                    Matcher downloaded = DOWNLOADED.matcher(line);
                    if (downloaded.find()) {
                        files++;
                        megabytes += Double.parseDouble(downloaded.group(2)) * MEGABYTES.get(downloaded.group(3));
                        progress.show(String.format(
                                Locale.ROOT, "%s: %d files, %.1f MB downloaded", what, files, megabytes));
                    }
                }
            }
            Path log = target.resolve("maven.log");
            Files.write(log, output);
            if (process.waitFor() != 0) {
                progress.close();
                throw new Failure(explained(output, log));
            }
        }

        private static String explained(List<String> output, Path log) {
            Pattern network = Pattern.compile("Could not transfer|Unknown host|Connect(ion)? (timed out|refused|to )"
                    + "|Network is unreachable|offline mode");
            List<String> errors = output.stream()
                    .filter(line -> line.startsWith("[ERROR] ") || line.startsWith("[FATAL] "))
                    .map(line -> line.substring(8).replaceFirst("^\\[\\w+] ", "").strip())
                    .toList();
            Optional<String> transfer = errors.stream().filter(line -> network.matcher(line).find()).findFirst();
            String first = transfer.orElse(errors.isEmpty() ? "it printed no error" : errors.get(0));
            return (transfer.isPresent() ? "Maven cannot download the libraries" : "Maven failed") + ": " + first + "\n"
                    + (transfer.isPresent()
                            ? "Connect to the network, or name your mirror or proxy in ~/.m2/settings.xml, and repeat the "
                                    + "command: what has been downloaded is kept."
                            : "All of its output: " + log);
        }
    }

    /** Compiles the modules that have changed since the last build, and packs their jars. */
    private static final class Compiled {
        final Sources sources;
        private final Libraries libraries;
        private final Path target;
        private final Progress progress;
        private final Set<String> compiled = ConcurrentHashMap.newKeySet();
        private volatile int expected;

        Compiled(Sources sources, Libraries libraries, Path target, Progress progress) {
            this.sources = sources;
            this.libraries = libraries;
            this.target = target;
            this.progress = progress;
        }

        /** {@return the libraries of the program} Makes the jars of all modules first. */
        ClassPaths make(String name, List<String> artifacts) throws Exception {
            Set<Module> modules = sources.closure(artifacts);
            ClassPaths paths = libraries.of(name, modules);
            Set<Module> changed = new LinkedHashSet<>();
            for (Module each : modules) {
                boolean needsChanged = each.libraries()
                        .anyMatch(library -> changed.stream().anyMatch(one -> one.artifact().equals(library.artifact)));
                Path jar = jar(each);
                if (needsChanged
                        || !Files.exists(jar)
                        || sources.changed(each).compareTo(Files.getLastModifiedTime(jar)) > 0) {
                    changed.add(each);
                }
            }
            for (Module each : changed) {
                expected += javaFiles(each.folder.resolve("src/main/java")).size();
            }
            if (!changed.isEmpty()) {
                compile(changed, paths.compile);
            }
            return paths;
        }

        Path jar(Module module) {
            return target.resolve("jars").resolve(module.artifact() + "-" + sources.version() + ".jar");
        }

        private void compile(Set<Module> changed, List<Path> libraryJars) throws Exception {
            progress.stage("compiling " + expected + " files ...");
            ExecutorService threads =
                    Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
            try {
                Map<String, CompletableFuture<Void>> started = new HashMap<>();
                for (Module each : changed) {
                    CompletableFuture<?>[] needed = each.libraries()
                            .map(library -> started.get(library.artifact))
                            .filter(Objects::nonNull)
                            .toArray(CompletableFuture[]::new);
                    started.put(
                            each.artifact(),
                            CompletableFuture.allOf(needed)
                                    .thenRunAsync(() -> quietly(() -> compile(each, libraryJars)), threads));
                }
                CompletableFuture.allOf(started.values().toArray(CompletableFuture[]::new)).join();
            } catch (CompletionException e) {
                Throwable cause = e;
                while (cause instanceof CompletionException && cause.getCause() != null) {
                    cause = cause.getCause();
                }
                throw cause instanceof Exception exception ? exception : e;
            } finally {
                threads.shutdown();
            }
        }

        private interface Step {
            void run() throws Exception;
        }

        private static void quietly(Step step) {
            try {
                step.run();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }

        private void compile(Module module, List<Path> libraryJars) throws Exception {
            FileTime begun = FileTime.fromMillis(System.currentTimeMillis());
            Path classes = target.resolve("classes").resolve(module.artifact());
            Path generated = target.resolve("generated").resolve(module.artifact());
            deleteAll(classes);
            deleteAll(generated);
            Files.createDirectories(classes);
            for (Xml templates : module.templates().toList()) {
                generate(module, templates, generated, libraryJars);
            }
            List<Path> files = new ArrayList<>(javaFiles(module.folder.resolve("src/main/java")));
            files.addAll(javaFiles(generated));
            List<Path> path = new ArrayList<>(libraryJars);
            for (Module each : sources.closure(List.of(module.artifact()))) {
                if (each != module) {
                    path.add(jar(each));
                }
            }
            javac(module, files, path, classes);
            pack(module, classes, begun);
            deleteAll(classes);
            deleteAll(generated);
        }

        private void javac(Module module, List<Path> files, List<Path> path, Path classes) throws Exception {
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
            StringWriter other = new StringWriter();
            try (StandardJavaFileManager manager = compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8)) {
                List<String> options = List.of(
                        "-d", classes.toString(),
                        "-classpath", joined(path),
                        "--release", sources.property("maven.compiler.release"),
                        "-encoding", "UTF-8",
                        "-g", "-proc:none", "-nowarn");
                JavacTask task = (JavacTask) compiler.getTask(
                        other, manager, said, options, null, manager.getJavaFileObjectsFromPaths(files));
                task.addTaskListener(new TaskListener() {
                    @Override
                    public void finished(TaskEvent event) {
                        if (event.getKind() == TaskEvent.Kind.ANALYZE && event.getSourceFile() != null) {
                            compiled.add(event.getSourceFile().toUri().getPath());
                            progress.show("compiling: " + Math.min(expected, compiled.size()) + " of " + expected
                                    + " files");
                        }
                    }
                });
                if (!task.call()) {
                    progress.close();
                    said.getDiagnostics().stream()
                            .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                            .forEach(System.err::println);
                    System.err.print(other);
                    throw new Failure(module.artifact() + " does not compile; the errors are above");
                }
            }
        }

        /** Generates sources from templates, like the plugin of the module; they are compiled with the other sources. */
        private void generate(Module module, Xml plugin, Path folder, List<Path> libraryJars) throws Exception {
            Xml how = plugin.all("executions/execution/configuration").findFirst().orElseThrow();
            URL[] urls = new URL[libraryJars.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = libraryJars.get(i).toUri().toURL();
            }
            try (URLClassLoader jte = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
                Class<?> engineType = jte.loadClass("gg.jte.TemplateEngine");
                Class<?> contentType = jte.loadClass("gg.jte.ContentType");
                Object content =
                        contentType.getMethod("valueOf", String.class).invoke(null, how.text("contentType", "Html"));
                Object resolver = jte.loadClass("gg.jte.resolve.DirectoryCodeResolver")
                        .getConstructor(Path.class)
                        .newInstance(module.folder.resolve("src/main/jte"));
                Method create = engineType.getMethod(
                        "create",
                        jte.loadClass("gg.jte.CodeResolver"),
                        Path.class,
                        contentType,
                        ClassLoader.class,
                        String.class);
                Object engine = create.invoke(null, resolver, folder, content, jte, how.text("packageName", ""));
                engineType
                        .getMethod("setTrimControlStructures", boolean.class)
                        .invoke(engine, how.text("trimControlStructures", "").equals("true"));
                engineType.getMethod("generateAll").invoke(engine);
            } catch (InvocationTargetException e) {
                throw new Failure(module.artifact() + ": " + e.getCause().getMessage());
            }
        }

        private void pack(Module module, Path classes, FileTime begun) throws IOException {
            Map<String, Path> entries = new TreeMap<>();
            add(entries, classes, "", List.of());
            List<Xml> resources = module.pom.all("build/resources/resource").toList();
            if (resources.isEmpty()) {
                resources = sources.pom.all("build/resources/resource").toList();
            }
            if (resources.isEmpty()) {
                add(entries, module.folder.resolve("src/main/resources"), "", List.of());
            }
            for (Xml each : resources) {
                String directory = each.text("directory", "")
                        .replace("${project.basedir}", module.folder.toString())
                        .replace("${maven.multiModuleProjectDirectory}", sources.home.toString());
                String into = each.text("targetPath", "");
                List<String> includes = each.all("includes/include")
                        .map(include -> include.element.getTextContent().strip())
                        .toList();
                add(entries, module.folder.resolve(directory), into.isEmpty() ? "" : into + "/", includes);
            }
            Manifest manifest = new Manifest();
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            String name = module.pom.text("properties/module.name", "");
            if (!name.isEmpty()) {
                manifest.getMainAttributes().put(new Attributes.Name("Automatic-Module-Name"), name);
            }
            Path jar = jar(module);
            Files.createDirectories(jar.getParent());
            Path unfinished = jar.resolveSibling(jar.getFileName() + ".new");
            try (OutputStream file = Files.newOutputStream(unfinished);
                    JarOutputStream packed = new JarOutputStream(file, manifest)) {
                for (Map.Entry<String, Path> each : entries.entrySet()) {
                    packed.putNextEntry(new JarEntry(each.getKey()));
                    Files.copy(each.getValue(), packed);
                    packed.closeEntry();
                }
            }
            Files.setLastModifiedTime(unfinished, begun);
            Files.move(unfinished, jar, StandardCopyOption.REPLACE_EXISTING);
        }

        private static void add(Map<String, Path> entries, Path folder, String into, List<String> includes)
                throws IOException {
            for (String each : includes) {
                if (!each.contains("*")) {
                    entries.put(into + each, folder.resolve(each));
                }
            }
            List<PathMatcher> wanted = includes.stream()
                    .filter(each -> each.contains("*"))
                    .map(each -> FileSystems.getDefault().getPathMatcher("glob:" + each))
                    .toList();
            if (wanted.isEmpty() && !includes.isEmpty()) {
                return;
            }
            if (!Files.isDirectory(folder)) {
                return;
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path each : files.filter(Files::isRegularFile).toList()) {
                    Path inside = folder.relativize(each);
                    if (wanted.isEmpty() || wanted.stream().anyMatch(one -> one.matches(inside))) {
                        entries.put(into + inside.toString().replace('\\', '/'), each);
                    }
                }
            }
        }
    }

    /** The folder of jars that the script runs. */
    private record Program(Compiled build, Path target, Progress progress) {
        void make(String artifact) throws Exception {
            FileTime begun = FileTime.fromMillis(System.currentTimeMillis());
            ClassPaths paths = build.make(artifact, List.of(artifact));
            Path program = Files.createDirectories(target.resolve(artifact));
            Set<String> names = new TreeSet<>();
            for (Path each : paths.run) {
                names.add(copy(each, program));
            }
            for (Module each : build.sources.closure(List.of(artifact))) {
                names.add(copy(build.jar(each), program));
            }
            try (Stream<Path> there = Files.list(program)) {
                for (Path each : there.filter(one -> one.toString().endsWith(".jar")).toList()) {
                    if (!names.contains(each.getFileName().toString())) {
                        Files.delete(each);
                    }
                }
            }
            Files.write(program.resolve("built"), new byte[0]);
            Files.setLastModifiedTime(program.resolve("built"), begun);
            progress.done("built");
        }

        /** Copies a jar that has changed. Running workers may use the old file, so it is replaced atomically. */
        private static String copy(Path jar, Path folder) throws IOException {
            String name = jar.getFileName().toString();
            Path there = folder.resolve(name);
            if (!Files.exists(there)
                    || Files.size(there) != Files.size(jar)
                    || !Files.getLastModifiedTime(there).equals(Files.getLastModifiedTime(jar))) {
                Path unfinished = folder.resolve(name + ".new");
                Files.copy(
                        jar, unfinished, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
                Files.move(unfinished, there, StandardCopyOption.REPLACE_EXISTING);
            }
            return name;
        }
    }

    /** Puts artifacts into the user's local repository. */
    private record Installation(Sources sources, Compiled build, Path target, Progress progress) {
        private static final List<String> DEFAULT = List.of("pawl", "pawl-testkit");

        void install(List<String> names) throws Exception {
            List<String> artifacts = names.isEmpty() ? DEFAULT : names;
            Set<String> known = new TreeSet<>();
            sources.modules.values().stream()
                    .filter(each -> each.isPublished() && each.isPlain())
                    .forEach(each -> known.add(each.artifact()));
            for (String each : artifacts) {
                if (!known.contains(each)) {
                    throw new Failure("'" + each + "' cannot be installed; these can: " + String.join(", ", known)
                            + "\nAll artifacts, with those for Spring: mvn -q -Dquick install");
                }
            }
            build.make("install", artifacts);
            Set<Module> modules = sources.closure(artifacts);
            Path pom = target.resolve("install.xml");
            Files.writeString(pom, pom(modules));
            new Libraries(sources, target, progress).maven("installing", List.of("-f", pom.toString(), "validate"));
            List<String> installed = modules.stream().map(Module::artifact).toList();
            progress.done("installed " + String.join(", ", installed) + " " + sources.version());
        }

        private String pom(Set<Module> modules) {
            String version = sources.pom
                    .all("build/pluginManagement/plugins/plugin")
                    .filter(each -> each.text("artifactId", "").equals("maven-install-plugin"))
                    .map(each -> each.text("version", ""))
                    .findFirst()
                    .orElseThrow();
            StringBuilder executions = new StringBuilder(
                    execution("parent", sources.home.resolve("pom.xml"), sources.home.resolve("pom.xml"), "pom"));
            for (Module each : modules) {
                executions.append(execution(each.artifact(), build.jar(each), each.folder.resolve("pom.xml"), "jar"));
            }
            return """
                    <project>
                      <!-- Written by launcher/Build.java. -->
                      <modelVersion>4.0.0</modelVersion>
                      <groupId>dev.pawl</groupId>
                      <artifactId>installation</artifactId>
                      <version>1</version>
                      <packaging>pom</packaging>
                      <build>
                        <plugins>
                          <plugin>
                            <groupId>org.apache.maven.plugins</groupId>
                            <artifactId>maven-install-plugin</artifactId>
                            <version>%s</version>
                            <executions>
                    %s        </executions>
                          </plugin>
                        </plugins>
                      </build>
                    </project>
                    """
                    .formatted(version, executions);
        }

        private static String execution(String id, Path file, Path pom, String packaging) {
            return "<execution><id>" + id + "</id><phase>validate</phase><goals><goal>install-file</goal></goals>"
                    + "<configuration><file>" + escaped(file) + "</file><pomFile>" + escaped(pom) + "</pomFile><packaging>"
                    + packaging + "</packaging></configuration></execution>\n";
        }
    }

    private static String escaped(Path path) {
        return path.toString().replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static String joined(List<Path> path) {
        return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.endsWith("module-info.java"))
                    .sorted()
                    .toList();
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> below;
        try (Stream<Path> files = Files.walk(folder)) {
            below = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : below) {
            Files.delete(each);
        }
    }
}
