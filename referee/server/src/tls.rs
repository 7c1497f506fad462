//! TLS: a certificate in files, which are read again when they change.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use thiserror::Error;

/// The interval at which the files are checked.
const LOOK: Duration = Duration::from_secs(2);

/// The files of a certificate and its key, in PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate of the server, followed by the chain that signed it.
    pub certificates: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why a certificate cannot be shown.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read, or is not PEM.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: String,
    },
    /// The certificate and the key do not fit, or are of a kind that is not known.
    #[error("the certificate does not match the key: {0}")]
    Unfit(#[from] rustls::Error),
}

/// A certificate that can be exchanged while connections are open.
#[derive(Debug)]
pub(crate) struct Certificate {
    files: TlsFiles,
    provider: Arc<CryptoProvider>,
    shown: RwLock<Arc<CertifiedKey>>,
}

impl Certificate {
    /// The certificate in these files.
    ///
    /// # Errors
    /// [`TlsError`].
    pub(crate) fn read(files: TlsFiles) -> Result<Arc<Self>, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let shown = RwLock::new(certified(&files, &provider)?);
        Ok(Arc::new(Self { files, provider, shown }))
    }

    /// How connections are made with it: by TLS 1.2 or 1.3, without certificates of clients.
    ///
    /// # Errors
    /// [`TlsError`] if the provider has no suite for these versions.
    pub(crate) fn server_config(self: &Arc<Self>) -> Result<ServerConfig, TlsError> {
        let config = ServerConfig::builder_with_provider(Arc::clone(&self.provider));
        let config = config.with_safe_default_protocol_versions()?.with_no_client_auth();
        Ok(config.with_cert_resolver(Arc::<Self>::clone(self)))
    }

    /// Reloads the files whenever they change, in an endless loop. If they cannot be used, the old certificate is kept.
    pub(crate) async fn follow(self: Arc<Self>) {
        let mut seen = self.changed();
        loop {
            tokio::time::sleep(LOOK).await;
            let now = self.changed();
            if now == seen {
                continue;
            }
            match certified(&self.files, &self.provider) {
                Ok(fresh) => {
                    *self.shown.write().unwrap_or_else(PoisonError::into_inner) = fresh;
                    seen = now;
                    tracing::info!("the certificate has changed: new connections use the new one");
                }
                // Perhaps only one of the files is new yet.
                Err(error) => tracing::warn!(%error, "the certificate has changed, but cannot be used"),
            }
        }
    }

    /// When the files were changed.
    fn changed(&self) -> [Option<SystemTime>; 2] {
        let of = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
        [of(&self.files.certificates), of(&self.files.key)]
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.shown.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn certified(files: &TlsFiles, provider: &CryptoProvider) -> Result<Arc<CertifiedKey>, TlsError> {
    let bad = |path: &Path, error: String| TlsError::File { path: path.to_owned(), error };
    let unread = |path: &Path, error: io::Error| {
        bad(path, error.to_string().split(" (os error").next().unwrap_or_default().to_owned())
    };
    let bytes = fs::read(&files.certificates).map_err(|error| unread(&files.certificates, error))?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let chain = chain.map_err(|error| bad(&files.certificates, error.to_string()))?;
    if chain.is_empty() {
        return Err(bad(&files.certificates, "it contains no certificate in PEM format".to_owned()));
    }
    let bytes = fs::read(&files.key).map_err(|error| unread(&files.key, error))?;
    let key = PrivateKeyDer::from_pem_slice(&bytes)
        .map_err(|_| bad(&files.key, "it contains no private key in PEM format".to_owned()))?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, provider)?))
}
