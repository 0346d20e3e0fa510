# Not tried. RELEASE: the address of the source archive and its SHA-256 go here.
class Sinew < Formula
  desc "Physics-based characters under stable PD control, in linear time"
  homepage "RELEASE"
  url "RELEASE/sinew-0.3.0.tar.gz"
  sha256 "RELEASE"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "pkg-config" => :build
  depends_on "cjson"
  depends_on "expat"
  depends_on "libpng"

  def install
    args = %w[-DSINEW_TESTS=OFF -DSINEW_IMPORT=ON -DSINEW_LAPACK=OFF -DSINEW_LBFGS=OFF -DSINEW_MPI=OFF]
    system "cmake", "-S", ".", "-B", "build", *args, *std_cmake_args
    system "cmake", "--build", "build", "--target", "product"
    system "cmake", "--install", "build"
    pkgshare.install "examples"
  end

  test do
    system bin/"sinew", "track", "humanoid", "run"
    system ENV.cc, pkgshare/"examples/hello.c", "-I#{include}", "-L#{lib}", "-lsinew", "-o", "hello"
    system "./hello"
  end
end
